import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";

interface SetAside {
  signature: string;
  isAside: boolean;
}

/** Sets a decision aside, or takes it back: what the request decides, not the agent, cannot be chosen better. */
export function useSetAside() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ signature, isAside }: SetAside) =>
      request(`/api/insights/decisions/${encodeURIComponent(signature)}/aside`, {
        method: isAside ? "PUT" : "DELETE",
      }),
    onSettled: () => client.invalidateQueries({ queryKey: [INSIGHTS_KEY] }),
  });
}

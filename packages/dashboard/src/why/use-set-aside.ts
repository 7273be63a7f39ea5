import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";

interface SetAside {
  signature: string;
  isAside: boolean;
  /** The start of a time range in which the decision was made. */
  from: string;
}

/** Sets a decision aside, or takes it back: what the request decides, not the agent, cannot be chosen better. */
export function useSetAside() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ signature, isAside, from }: SetAside) =>
      isAside
        ? api("PUT /api/insights/set-aside/:signature", { params: { signature }, query: { from } })
        : api("DELETE /api/insights/set-aside/:signature", { params: { signature } }),
    onSettled: () => client.invalidateQueries({ queryKey: [INSIGHTS_KEY] }),
  });
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ALERTS_KEY } from "./alerts-queries.ts";

/** Sends a change, and fetches again what the page shows. */
export function useAlertChange<Response, Change = void>(
  send: (change: Change) => Promise<Response>,
  onDone: (response: Response) => void = () => {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (response) => {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === ALERTS_KEY && queryKey[1] !== "preview",
      });
      onDone(response);
    },
  });
}

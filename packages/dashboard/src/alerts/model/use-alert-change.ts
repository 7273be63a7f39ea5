import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { ALERTS_KEY } from "./alerts-queries.ts";

interface AlertRequest {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: object;
}

/** Sends a change, and fetches again what the page shows. */
export function useAlertChange<T = unknown>(onDone: (response: T) => void = () => {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, ...options }: AlertRequest) => api<T>(path, options),
    onSuccess: async (response) => {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === ALERTS_KEY && queryKey[1] !== "preview",
      });
      onDone(response);
    },
  });
}

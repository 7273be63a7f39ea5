import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "../../client/api.ts";
import { rulesQuery } from "./rules-query.ts";

export function useDeleteRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(`/api/insights/rules/${id}`, { method: "DELETE" }),
    onSettled: () => client.invalidateQueries({ queryKey: rulesQuery.queryKey }),
  });
}

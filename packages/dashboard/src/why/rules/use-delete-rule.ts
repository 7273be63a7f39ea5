import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { rulesQuery } from "./rules-query.ts";

export function useDeleteRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api("DELETE /api/insights/rules/:id", { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: rulesQuery.queryKey }),
  });
}

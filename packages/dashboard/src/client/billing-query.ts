import { queryOptions } from "@tanstack/react-query";
import type { Billing } from "@whytrace/contract";
import { api } from "./api.ts";

export const billingQuery = queryOptions({
  queryKey: ["billing"],
  queryFn: ({ signal }) => api<Billing>("/api/billing", { signal }),
});

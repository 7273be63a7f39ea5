import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

export const billingQuery = queryOptions({
  queryKey: ["billing"],
  queryFn: ({ signal }) => api("GET /api/billing", { signal }),
});

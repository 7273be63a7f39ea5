import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The server's configuration for new accounts and mail. It changes only when the server restarts. */
export const registrationQuery = queryOptions({
  queryKey: ["registration"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: ({ signal }) => api("GET /api/auth/registration", { signal }),
});

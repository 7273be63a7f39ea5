import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";

/** Signs out, and leads from the sign-in page to the address, if there is one. */
export function SignOut({ label = "Sign in as somebody else", next }: { label?: string; next?: string }) {
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => api("POST /api/auth/logout"),
    onSuccess: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null);
      location.assign(next === undefined ? paths.login : `${paths.login}?next=${encodeURIComponent(next)}`);
    },
  });
  return <Button onClick={() => signOut.mutate()}>{label}</Button>;
}

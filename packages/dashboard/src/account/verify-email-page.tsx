import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout } from "./auth-layout.tsx";

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.verifyEmail,
  validateSearch: (search) => ({ token: String(search.token ?? "") }),
  component: VerifyEmailPage,
});

/** Confirms on a click, not on the visit: mail programs that preview links would use up the token. */
function VerifyEmailPage() {
  const { token } = verifyEmailRoute.useSearch();
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery);
  const verify = useMutation({
    mutationFn: () => api("/api/auth/verify-email", { method: "POST", body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["session"] }),
  });
  return (
    <AuthLayout title="Confirm your email">
      {verify.isSuccess ? (
        <>
          <Notice tone="completed">Your email is confirmed.</Notice>
          <Link to={paths.traces} className={buttonStyle("primary")}>
            Go to your traces
          </Link>
        </>
      ) : (
        <AuthForm
          action="Confirm email"
          isPending={verify.isPending}
          error={verify.error}
          onSubmit={() => verify.mutate()}
        >
          <p className="text-muted">Confirm that this email address belongs to you.</p>
          {session.data === null && (
            <p className="text-muted">
              You are not signed in here. Confirming ends all sessions of the account and revokes its API
              keys, because somebody else may have registered it. To keep them, open the link where you are
              signed in.
            </p>
          )}
        </AuthForm>
      )}
    </AuthLayout>
  );
}

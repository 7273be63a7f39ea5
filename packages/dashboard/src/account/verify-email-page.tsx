import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout } from "./auth-layout.tsx";

const ROUTE = "/verify-email";
const route = getRouteApi(ROUTE);

export const verifyEmailPage = createLazyRoute(ROUTE)({ component: VerifyEmailPage });

/** Confirms on a click, not on the visit: mail programs that preview links would use up the token. */
function VerifyEmailPage() {
  const { token } = route.useSearch();
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery);
  const verify = useMutation({
    mutationFn: () => api("POST /api/auth/verify-email", { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["session"] }),
  });
  return (
    <AuthLayout title="Confirm your email">
      {verify.isSuccess ? (
        <>
          <Notice tone="completed">Your email is confirmed.</Notice>
          {verify.data.passwordToken === undefined ? (
            <Link to={paths.traces} className={buttonStyle("primary")}>
              Go to your traces
            </Link>
          ) : (
            <Link
              to={paths.resetPassword}
              search={{ token: verify.data.passwordToken }}
              className={buttonStyle("primary")}
            >
              Choose a password
            </Link>
          )}
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
              You are not signed in here, and somebody else may have registered the account. Confirming ends
              everything that was set up with it: password, sessions, API keys, links and channels. You then
              choose a password of your own. To keep them, open the link where you are signed in.
            </p>
          )}
        </AuthForm>
      )}
    </AuthLayout>
  );
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { paths } from "../client/paths.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { buttonStyle } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout } from "./auth-layout.tsx";

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.verifyEmail,
  validateSearch: (search) => ({ token: String(search.token ?? "") }),
  component: VerifyEmailPage,
});

/** A click confirms, not the visit: mail programs that look at links beforehand would use the token up. */
function VerifyEmailPage() {
  const { token } = verifyEmailRoute.useSearch();
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: () => api("/api/auth/verify-email", { method: "POST", body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["session"] }),
  });
  return (
    <AuthLayout title="Confirm your address">
      {verify.isSuccess ? (
        <>
          <Notice tone="completed">Your address is confirmed.</Notice>
          <Link to={paths.traces} className={buttonStyle("primary")}>
            To your traces
          </Link>
        </>
      ) : (
        <AuthForm
          action="Confirm address"
          isPending={verify.isPending}
          error={verify.error}
          onSubmit={() => verify.mutate()}
        >
          <p className="text-muted">One click, and mails about your account reach you here.</p>
        </AuthForm>
      )}
    </AuthLayout>
  );
}

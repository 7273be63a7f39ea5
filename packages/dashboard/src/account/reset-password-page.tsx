import { useMutation } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { paths } from "../paths.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  validateSearch: (search) => ({ token: String(search.token ?? "") }),
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  const { token } = resetPasswordRoute.useSearch();
  const reset = useMutation({
    mutationFn: ({ password }: Record<string, string>) =>
      api("/api/auth/reset-password", { method: "POST", body: { token, password } }),
  });
  return (
    <AuthLayout title="Choose a new password">
      {reset.isSuccess ? (
        <>
          <Notice tone="completed">Password changed. You are signed out on all devices.</Notice>
          <Link to={paths.login} className={buttonStyle("primary")}>
            Sign in
          </Link>
        </>
      ) : (
        <AuthForm
          action="Change password"
          isPending={reset.isPending}
          error={reset.error}
          onSubmit={reset.mutate}
        >
          <NewPasswordField label="New password" />
        </AuthForm>
      )}
      <p className="text-muted">
        Link expired?{" "}
        <Link to={paths.forgotPassword} className={linkStyle}>
          Request a new one
        </Link>
      </p>
    </AuthLayout>
  );
}

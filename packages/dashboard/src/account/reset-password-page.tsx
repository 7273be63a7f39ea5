import { useMutation } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

const ROUTE = "/reset-password";
const route = getRouteApi(ROUTE);

export const resetPasswordPage = createLazyRoute(ROUTE)({ component: ResetPasswordPage });

function ResetPasswordPage() {
  const { token } = route.useSearch();
  const reset = useMutation({
    mutationFn: ({ password = "" }: Record<string, string>) =>
      api("POST /api/auth/reset-password", { body: { token, password } }),
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

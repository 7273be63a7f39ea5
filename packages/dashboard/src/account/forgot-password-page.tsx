import { useMutation, useQuery } from "@tanstack/react-query";
import { createLazyRoute, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { paths } from "../paths.ts";
import { Field } from "../ui/controls/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";

export const forgotPasswordPage = createLazyRoute("/forgot-password")({ component: ForgotPasswordPage });

function ForgotPasswordPage() {
  const requestLink = useMutation({
    mutationFn: ({ email = "" }: Record<string, string>) =>
      api("POST /api/auth/forgot-password", { body: { email } }),
  });
  const { data: registration } = useQuery(registrationQuery);
  return (
    <AuthLayout title="Forgot your password?">
      {registration?.mail === "none" ? (
        <Notice tone="retry">
          This server sends no email. Ask its operator for a link to choose a new password.
        </Notice>
      ) : requestLink.data ? (
        <Notice tone="completed">{requestLink.data.message}</Notice>
      ) : (
        <AuthForm
          action="Send reset link"
          isPending={requestLink.isPending}
          error={requestLink.error}
          onSubmit={requestLink.mutate}
        >
          <Field label="Email" name="email" type="email" autoComplete="username" required />
        </AuthForm>
      )}
      <p>
        <Link to={paths.login} className={linkStyle}>
          Back to sign in
        </Link>
      </p>
    </AuthLayout>
  );
}

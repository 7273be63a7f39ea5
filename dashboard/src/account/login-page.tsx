import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { sessionQuery } from "../client/session.ts";
import { paths, sameOriginPath } from "../paths.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { Field } from "../ui/controls/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";

interface LoginSearch {
  /** Where to go after sign-in. */
  next?: string | undefined;
  reason?: "expired" | undefined;
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.login,
  validateSearch: (search): LoginSearch =>
    omitEmpty({ next: parseText(search.next), reason: parseOneOf(["expired"], search.reason) }),
  component: LoginPage,
});

function LoginPage() {
  const { next, reason } = loginRoute.useSearch();
  const queryClient = useQueryClient();
  const navigate = loginRoute.useNavigate();
  const login = useMutation({
    mutationFn: (fields: Record<string, string>) => api("/api/auth/login", { method: "POST", body: fields }),
    onSuccess: async () => {
      queryClient.clear();
      await queryClient.ensureQueryData(sessionQuery);
      await navigate({ href: sameOriginPath(next) });
    },
  });
  return (
    <AuthLayout title="Sign in">
      {reason === "expired" && (
        <Notice tone="retry">Your session has ended. Sign in to continue where you left off.</Notice>
      )}
      <AuthForm action="Sign in" isPending={login.isPending} error={login.error} onSubmit={login.mutate}>
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      </AuthForm>
      <p className="text-muted">
        <Link to={paths.forgotPassword} className={linkStyle}>
          Forgot your password?
        </Link>
      </p>
      <p className="text-muted">
        New here?{" "}
        <Link to={paths.register} className={linkStyle}>
          Create an account
        </Link>
      </p>
    </AuthLayout>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { isUnlimited, type Registration } from "@whytrace/contract";
import { ApiError, api } from "../client/api.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { Field } from "../ui/controls/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

const ROUTE = "/register";
const route = getRouteApi(ROUTE);

export const registerPage = createLazyRoute(ROUTE)({ component: RegisterPage });

/**
 * Registers and signs in. The server does not reveal whether an address is already registered, so after a failed sign-in
 * the page only says to check the inbox.
 */
function RegisterPage() {
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const { invitation, email } = route.useSearch();
  const { data: registration } = useQuery(registrationQuery);
  const register = useMutation({
    mutationFn: async ({ name, email = "", password = "" }: Record<string, string>) => {
      const credentials = { email, password };
      await api("POST /api/auth/register", {
        body: { ...credentials, ...(name && { name }), ...(invitation && { invitation }) },
      });
      try {
        await api("POST /api/auth/login", { body: credentials });
        return "signed in";
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return "check inbox";
        throw error;
      }
    },
    onSuccess: async (outcome) => {
      if (outcome !== "signed in") return;
      queryClient.clear();
      await queryClient.ensureQueryData(sessionQuery);
      if (invitation) await navigate({ to: paths.invitation, search: { token: invitation } });
      else await navigate({ to: paths.welcome });
    },
  });
  return (
    <AuthLayout title="Create an account">
      <p className="min-h-10 text-muted">
        See what your agent did, and why. {registration && planText(registration)}
      </p>
      {registration?.isOpen === false && !invitation ? (
        <Notice tone="retry">Registration is closed on this server. Ask its operator for an account.</Notice>
      ) : register.data === "check inbox" ? (
        <Notice tone="completed">{NEXT_STEP[registration?.mail ?? "smtp"]}</Notice>
      ) : (
        <AuthForm
          action="Create account"
          isPending={register.isPending}
          error={register.error}
          onSubmit={register.mutate}
        >
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={email}
            readOnly={invitation !== undefined}
          />
          <Field label="Name (optional)" name="name" autoComplete="name" maxLength={200} />
          <NewPasswordField label="Password" />
        </AuthForm>
      )}
      <p className="text-muted">
        Already have an account?{" "}
        <Link to={paths.login} className={linkStyle}>
          Sign in
        </Link>
      </p>
    </AuthLayout>
  );
}

const planText = ({ plan: { sessionsLimit, period } }: Registration) =>
  isUnlimited(sessionsLimit)
    ? "Free, without a limit."
    : `Free for ${sessionsLimit.toLocaleString("en")} traces per ${period}. No credit card needed.`;

const NEXT_STEP: Record<Registration["mail"], string> = {
  smtp: "Check your inbox: we sent you an email with the next step.",
  log: "This server writes its emails to its log instead of sending them. The next step is described there.",
  none: "You may already have an account. This server sends no email: sign in, or ask its operator.",
};

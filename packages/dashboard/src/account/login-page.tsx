import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { LoginResult } from "@whytrace/contract";
import { lazy, Suspense, useState } from "react";
import { api } from "../client/api.ts";
import { sessionQuery } from "../client/session.ts";
import { signInMethodsQuery } from "../client/sign-in-methods-query.ts";
import { paths } from "../paths.ts";
import { providerErrorText, rememberProvider } from "../shell/provider-errors.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

const SecondStep = lazy(() => import("./second-step.tsx"));

const ROUTE = "/login";
const route = getRouteApi(ROUTE);

export const loginPage = createLazyRoute(ROUTE)({ component: LoginPage });

type Step = Extract<LoginResult, { secondFactor: unknown }>["secondFactor"];

function LoginPage() {
  const { next, reason, error } = route.useSearch();
  const queryClient = useQueryClient();
  const navigate = route.useNavigate();
  const methods = useQuery(signInMethodsQuery).data;
  const [step, setStep] = useState<Step | null>(null);
  const enter = async () => {
    queryClient.clear();
    await queryClient.ensureQueryData(sessionQuery);
    const href = sameOriginPath(next);
    // Each workspace is a load of the page of its own.
    if (href.startsWith("/w/")) return location.assign(href);
    await navigate({ href });
  };
  const login = useMutation({
    mutationFn: ({ email = "", password = "" }: Record<string, string>) =>
      api("POST /api/auth/login", { body: { email, password } }),
    onSuccess: async (result) => ("secondFactor" in result ? setStep(result.secondFactor) : enter()),
  });
  const passkey = usePasskeySignIn({ isOffered: methods?.passkeys === true && !step, onSignedIn: enter });
  if (step)
    return (
      <AuthLayout title="One more step">
        <Suspense>
          <SecondStep {...step} onSignedIn={enter} onRestart={() => setStep(null)} />
        </Suspense>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Sign in">
      {reason === "expired" && (
        <Notice tone="retry">Your session has ended. Sign in to continue where you left off.</Notice>
      )}
      {error && <Notice tone="error">{providerErrorText(error)}</Notice>}
      {passkey.isSupported && (
        <Button disabled={passkey.isPending} onClick={passkey.start}>
          Sign in with a passkey
        </Button>
      )}
      {passkey.error && <ErrorNotice error={passkey.error} />}
      {methods?.providers.map(({ id, name }) => (
        <a
          key={id}
          href={`/api/auth/oidc/${id}?next=${encodeURIComponent(sameOriginPath(next))}`}
          onClick={() => rememberProvider(name)}
          className={buttonStyle()}
        >
          Sign in with {name}
        </a>
      ))}
      {methods?.password !== false && (
        <>
          <AuthForm action="Sign in" isPending={login.isPending} error={login.error} onSubmit={login.mutate}>
            <Field label="Email" name="email" type="email" autoComplete="username webauthn" required />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          </AuthForm>
          <p className="text-muted">
            <Link to={paths.forgotPassword} className={linkStyle}>
              Forgot your password?
            </Link>
          </p>
          {methods?.registration !== false && (
            <p className="text-muted">
              New here?{" "}
              <Link to={paths.register} className={linkStyle}>
                Create an account
              </Link>
            </p>
          )}
        </>
      )}
    </AuthLayout>
  );
}

/** Where to go after sign-in. Paths on other origins are replaced, which prevents an open redirect. */
function sameOriginPath(next: string | undefined): string {
  if (!next?.startsWith("/")) return paths.home;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : paths.home;
}

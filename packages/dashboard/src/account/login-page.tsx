import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import type { LoginResult } from "@whytrace/contract";
import { lazy, Suspense, useState } from "react";
import { api } from "../client/api.ts";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { sessionQuery } from "../client/session.ts";
import { signInMethodsQuery } from "../client/sign-in-methods-query.ts";
import { paths, sameOriginPath } from "../paths.ts";
import {
  PROVIDER_ERRORS,
  type ProviderError,
  providerErrorText,
  rememberProvider,
} from "../shell/provider-errors.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/field.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { AuthForm, AuthLayout, linkStyle } from "./auth-layout.tsx";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

const SecondStep = lazy(() => import("./second-step.tsx"));

interface LoginSearch {
  /** Where to go after sign-in. */
  next?: string | undefined;
  reason?: "expired" | undefined;
  /** Why a provider's answer was refused. */
  error?: ProviderError | undefined;
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.login,
  validateSearch: (search): LoginSearch =>
    omitEmpty({
      next: parseText(search.next),
      reason: parseOneOf(["expired"], search.reason),
      error: parseOneOf(PROVIDER_ERRORS, search.error),
    }),
  component: LoginPage,
});

type Step = Extract<LoginResult, { secondFactor: unknown }>["secondFactor"];

function LoginPage() {
  const { next, reason, error } = loginRoute.useSearch();
  const queryClient = useQueryClient();
  const navigate = loginRoute.useNavigate();
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
    mutationFn: (fields: Record<string, string>) =>
      api<LoginResult>("/api/auth/login", { method: "POST", body: fields }),
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

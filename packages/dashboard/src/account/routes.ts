import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";
import { sessionQuery } from "../client/session.ts";
import { signInMethodsQuery } from "../client/sign-in-methods-query.ts";
import { paths } from "../paths.ts";
import { leaveToSignIn } from "../shell/enter-workspace.ts";
import { PROVIDER_ERRORS, type ProviderError } from "../shell/provider-errors.ts";
import { rootRoute } from "../shell/root-route.tsx";
import { signedInRoute } from "../shell/signed-in-route.tsx";

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
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(signInMethodsQuery),
}).lazy(() => importPage(() => import("./login-page.tsx")).then(({ loginPage }) => loginPage));

interface RegisterSearch {
  /** The token of an invitation. */
  invitation?: string | undefined;
  email?: string | undefined;
}

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.register,
  validateSearch: (search): RegisterSearch =>
    omitEmpty({ invitation: parseText(search.invitation), email: parseText(search.email) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(registrationQuery),
}).lazy(() => importPage(() => import("./register-page.tsx")).then(({ registerPage }) => registerPage));

const parseToken = (search: Record<string, unknown>) => ({ token: String(search.token ?? "") });

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
}).lazy(() =>
  importPage(() => import("./forgot-password-page.tsx")).then(({ forgotPasswordPage }) => forgotPasswordPage),
);

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  validateSearch: parseToken,
}).lazy(() =>
  importPage(() => import("./reset-password-page.tsx")).then(({ resetPasswordPage }) => resetPasswordPage),
);

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.verifyEmail,
  validateSearch: parseToken,
}).lazy(() =>
  importPage(() => import("./verify-email-page.tsx")).then(({ verifyEmailPage }) => verifyEmailPage),
);

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.invitation,
  validateSearch: parseToken,
}).lazy(() => importPage(() => import("./invitation-page.tsx")).then(({ invitationPage }) => invitationPage));

interface CliSearch {
  challenge?: string | undefined;
  /** Where the command listens on this machine; absent if it runs on another one. */
  port?: string | undefined;
  /** The host name of the machine that asks. */
  name?: string | undefined;
}

/** Outside the pages of a workspace: the person chooses one here. */
export const cliRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.cli,
  validateSearch: (search): CliSearch =>
    omitEmpty({
      challenge: parseText(search.challenge),
      port: /^[1-9]\d{0,4}$/.test(String(search.port)) ? String(search.port) : undefined,
      name: parseText(search.name),
    }),
  beforeLoad: async ({ context, location }) => {
    if (!(await context.queryClient.ensureQueryData(sessionQuery))) await leaveToSignIn(location.href);
  },
}).lazy(() => importPage(() => import("./cli-page.tsx")).then(({ cliPage }) => cliPage));

export const welcomeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.welcome,
}).lazy(() => importPage(() => import("./welcome-page.tsx")).then(({ welcomePage }) => welcomePage));

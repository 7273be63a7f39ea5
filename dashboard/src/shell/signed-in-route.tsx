import { createRoute, redirect } from "@tanstack/react-router";
import { registrationQuery } from "../client/registration-query.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { ErrorPage, NotFoundPage, rootRoute } from "./root-route.tsx";
import { Shell, ShellSkeleton } from "./shell.tsx";

/** The parent of every page that requires sign-in. Signed-out users go to the sign-in page and then return. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const registration = context.queryClient.prefetchQuery(registrationQuery);
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: paths.login, search: { next: location.href } });
    // The verification banner needs it at once: if it appeared later, it would move the page.
    if (!session.user.isEmailVerified) await registration;
  },
  pendingComponent: ShellSkeleton,
  pendingMs: 0,
  pendingMinMs: 0,
  component: Shell,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

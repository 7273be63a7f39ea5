import { useQuery } from "@tanstack/react-query";
import { createRoute, Outlet, redirect, useLocation } from "@tanstack/react-router";
import type { Workspace } from "@whytrace/contract";
import { lazy, type ReactNode, Suspense } from "react";
import { isSample, workspaceSlug } from "../client/base-path.ts";
import { importPage } from "../client/import-page.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { sessionQuery, useSession } from "../client/session.ts";
import { paths } from "../paths.ts";
import { enterWorkspace, leaveToSignIn } from "./enter-workspace.ts";
import { ErrorPage, NotFoundPage, rootRoute } from "./root-route.tsx";
import { Shell, ShellSkeleton } from "./shell.tsx";

const importNoWorkspace = () => import("./no-workspace.tsx");

/** Pages that a person needs to be let into a workspace. */
const OPEN_WHILE_BLOCKED: readonly string[] = [paths.account, paths.signIn, paths.newWorkspace];

const findWorkspace = (workspaces: readonly Workspace[]) =>
  workspaceSlug === undefined ? workspaces[0] : workspaces.find(({ slug }) => slug === workspaceSlug);

/** The parent of every page that requires sign-in. Signed-out users go to the sign-in page and then return. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    const registration = context.queryClient.prefetchQuery(registrationQuery);
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session && workspaceSlug !== undefined) return leaveToSignIn(location.href);
    if (!session) throw redirect({ to: paths.login, search: { next: location.href } });
    await enterWorkspace(session, location.href);
    // The verification banner needs it at once: if it appeared later, it would move the page.
    if (!session.user.isEmailVerified) await registration;
  },
  pendingComponent: ShellSkeleton,
  pendingMs: 0,
  pendingMinMs: 0,
  component: () => (
    <IfOpen>
      <SignedIn />
    </IfOpen>
  ),
  errorComponent: (props) => (
    <IfOpen>
      <ErrorPage {...props} />
    </IfOpen>
  ),
  notFoundComponent: () => (
    <IfOpen>
      <NotFoundPage />
    </IfOpen>
  ),
});

/** In a workspace that is not open to the person, its pages say that, whatever the server answered. */
function IfOpen({ children }: { children: ReactNode }) {
  const workspaces = useQuery(sessionQuery).data?.workspaces;
  const { pathname } = useLocation();
  const workspace = findWorkspace(workspaces ?? []);
  const isOpen = workspace && (workspace.blockedBy === null || OPEN_WHILE_BLOCKED.includes(pathname));
  return isSample || isOpen || !workspaces ? children : <Closed />;
}

function SignedIn() {
  const { workspaces } = useSession();
  // Without a workspace that is open, only pages about the person are.
  if (isSample || findWorkspace(workspaces)?.blockedBy === null) return <Shell />;
  return (
    <main>
      <Outlet />
    </main>
  );
}

const BlockedWorkspace = lazy(() => import("./blocked-workspace.tsx"));
const NoWorkspace = lazy(() => importNoWorkspace().then((module) => ({ default: module.NoWorkspace })));
const UnknownWorkspace = lazy(() =>
  importNoWorkspace().then((module) => ({ default: module.UnknownWorkspace })),
);

function Closed() {
  const { workspaces } = useSession();
  const workspace = findWorkspace(workspaces);
  return (
    <Suspense>
      {workspace ? (
        <BlockedWorkspace workspace={workspace} />
      ) : workspaceSlug === undefined ? (
        <main>
          <NoWorkspace />
        </main>
      ) : (
        <UnknownWorkspace />
      )}
    </Suspense>
  );
}

/** The form for another workspace. */
export const newWorkspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.newWorkspace,
}).lazy(() => importPage(importNoWorkspace).then(({ newWorkspacePage }) => newWorkspacePage));

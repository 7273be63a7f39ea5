import { useMutation, useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { api } from "../client/api.ts";
import { sessionQuery } from "../client/session.ts";
import { paths } from "../paths.ts";
import { openWorkspace } from "../shell/enter-workspace.ts";
import { SignOut } from "../shell/sign-out.tsx";
import { VerificationBanner } from "../shell/verification-banner.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { AuthLayout, linkStyle } from "./auth-layout.tsx";

const ROUTE = "/invitation";
const route = getRouteApi(ROUTE);

export const invitationPage = createLazyRoute(ROUTE)({ component: InvitationPage });

/** What the link of an invitation opens. It does not know whether the address has an account. */
function InvitationPage() {
  const { token } = route.useSearch();
  const session = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ["invitation", token],
    retry: false,
    queryFn: () => api("POST /api/invitations/lookup", { body: { token } }),
  });
  const accept = useMutation({
    mutationFn: () => api("POST /api/invitations/accept", { body: { token } }),
    onSuccess: ({ workspace }) => openWorkspace(workspace.slug),
  });
  const next = `${paths.invitation}?token=${encodeURIComponent(token)}`;
  const user = session.data?.user;
  return (
    <AuthLayout title="Invitation">
      {invitation.error && <ErrorNotice error={invitation.error} />}
      {invitation.data && (
        <>
          <p>
            {invitation.data.invitedBy} invites you to <strong>{invitation.data.workspace.name}</strong> as{" "}
            {invitation.data.role}.
          </p>
          {!user ? (
            <>
              <a href={`/login?next=${encodeURIComponent(next)}`} className={buttonStyle("primary")}>
                Sign in
              </a>
              <a
                href={`/register?invitation=${encodeURIComponent(token)}&email=${encodeURIComponent(invitation.data.email)}`}
                className={buttonStyle()}
              >
                Create account
              </a>
            </>
          ) : user.email === invitation.data.email ? (
            <>
              {!user.isEmailVerified && <VerificationBanner />}
              {accept.error && <ErrorNotice error={accept.error} />}
              <Button kind="primary" disabled={accept.isPending} onClick={() => accept.mutate()}>
                Accept
              </Button>
            </>
          ) : (
            <>
              <Notice tone="retry">
                You are signed in as {user.email}, and this invitation is for {invitation.data.email}.
              </Notice>
              <SignOut label={`Sign in as ${invitation.data.email}`} next={next} />
              <a href="/" className={linkStyle}>
                Stay signed in as {user.email}
              </a>
            </>
          )}
        </>
      )}
    </AuthLayout>
  );
}

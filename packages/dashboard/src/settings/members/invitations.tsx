import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Invitation, RESEND_SECONDS } from "@whytrace/contract";
import { useEffect, useState } from "react";
import { ApiError, api } from "../../client/api.ts";
import { Button } from "../../ui/controls/button.tsx";
import { copyText } from "../../ui/format/copy-text.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { SettingsSection } from "../settings-layout.tsx";
import { InvitationLinks } from "./invitation-links.tsx";
import { invitationsQuery } from "./invitations-query.ts";

/** The invitations that nobody has accepted. */
export function Invitations() {
  const invitations = useQuery(invitationsQuery);
  return (
    <SettingsSection title="Invitations">
      <QueryResult query={invitations} skeleton={<SkeletonList count={1} />}>
        {(data) =>
          data.invitations.length === 0 ? (
            <p className="rounded-md border border-line px-3 py-3 text-muted">Nobody is invited.</p>
          ) : (
            <ul className="rounded-md border border-line">
              {data.invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </SettingsSection>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, invitedBy, expiresAt, isExpired } = invitation;
  const queryClient = useQueryClient();
  const [secondsLeft, wait] = useCountdown();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
  const resend = useMutation({
    mutationFn: (mail: boolean) =>
      api("POST /api/invitations/:id/resend", { params: { id }, body: { mail } }),
    onSuccess: () => {
      wait(RESEND_SECONDS);
      return onSuccess();
    },
    onError: (error) => wait(error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0),
  });
  const revoke = useMutation({
    mutationFn: () => api("DELETE /api/invitations/:id", { params: { id } }),
    onSuccess,
  });
  const error = resend.error ?? revoke.error;
  const isWaiting = resend.isPending || secondsLeft > 0;
  // The link is shown below, too: the browser may refuse to copy it.
  const copyNewLink = () => copyText(async () => (await resend.mutateAsync(false)).url).catch(() => {});
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0 max-sm:grid-cols-1">
      <div className={`grid min-w-0 gap-0.5 ${isExpired ? "text-muted" : ""}`}>
        <span className="break-all font-medium">{email}</span>
        <span className="wrap-anywhere text-xs text-muted">
          {role}, invited by {invitedBy}, {isExpired ? "expired" : "expires"}{" "}
          <RelativeTime instant={expiresAt} />
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button disabled={isWaiting} onClick={() => void copyNewLink()}>
          Copy new link
        </Button>
        <Button disabled={isWaiting} onClick={() => resend.mutate(true)}>
          {secondsLeft > 0 ? `Send again in ${secondsLeft} s` : "Send again"}
        </Button>
        <Button
          kind="danger"
          onClick={() => revoke.mutate()}
          aria-label={`Revoke the invitation of ${email}`}
        >
          Revoke
        </Button>
      </div>
      {(error || resend.data) && (
        <div className="col-span-full grid grid-cols-[minmax(0,1fr)] gap-2">
          {error && <ErrorNotice error={error} />}
          {resend.data && <InvitationLinks invitations={[resend.data]} />}
        </div>
      )}
    </li>
  );
}

/** Seconds that go down to 0, and how to set them. */
function useCountdown(): [secondsLeft: number, wait: (seconds: number) => void] {
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (secondsLeft <= 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  return [secondsLeft, setSecondsLeft];
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import {
  type CreatedInvitation,
  type Invitation,
  type InvitationList,
  includesRole,
  type MailDelivery,
  type Member,
  ROLES,
  type Role,
} from "@whytrace/contract";
import { type FormEvent, useState } from "react";
import { api } from "../client/api.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { useSession } from "../client/session.ts";
import { useWorkspace } from "../client/use-workspace.ts";
import { Tag } from "../ui/badges.tsx";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { Field, inputStyle } from "../ui/controls/field.tsx";
import { SelectField } from "../ui/controls/select-field.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonList } from "../ui/skeleton.tsx";
import { membersQuery } from "./members-query.ts";
import { RemoveMember } from "./remove-member.tsx";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

export const membersPage = createLazyRoute("/signed-in/settings/members")({ component: MembersPage });

const INVITATIONS = ["invitations"];
const ROW =
  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-3 py-2 last:border-0 max-sm:grid-cols-1";

function MembersPage() {
  const { role } = useWorkspace();
  const isAdmin = includesRole(role, "admin");
  const members = useQuery(membersQuery);
  const [removed, setRemoved] = useState<Member | null>(null);
  const owners = members.data?.members.filter((member) => member.role === "owner").length ?? 0;
  return (
    <SettingsLayout>
      <SettingsSection title="Members">
        {isAdmin ? <Invite /> : <p className="text-muted">Inviting people needs the role admin or owner.</p>}
        <QueryResult query={members} skeleton={<SkeletonList count={3} />}>
          {(data) => (
            <>
              <ul className="rounded-md border border-line">
                {data.members.map((member) => (
                  <MemberRow
                    key={member.userId}
                    member={member}
                    isLastOwner={member.role === "owner" && owners === 1}
                    onRemove={() => setRemoved(member)}
                  />
                ))}
              </ul>
              {data.members.length === 1 && (
                <p className="text-muted">
                  You are alone here. Invite a colleague: they see the same traces, and it costs nothing.
                </p>
              )}
            </>
          )}
        </QueryResult>
      </SettingsSection>
      {isAdmin && <Invitations />}
      <Dialog title="Remove from the workspace?" isOpen={removed !== null} onClose={() => setRemoved(null)}>
        {removed && <RemoveMember member={removed} onDone={() => setRemoved(null)} />}
      </Dialog>
    </SettingsLayout>
  );
}

/** Why the role of a member cannot be changed; undefined if it can. */
function lockedBecause(member: Member, own: Role, isLastOwner: boolean): string | undefined {
  if (!includesRole(own, "admin")) return "Changing roles needs the role admin or owner.";
  if (isLastOwner) return "A workspace needs an owner.";
  if (member.role === "owner" && own !== "owner") return "Only an owner can change the role of an owner.";
  return undefined;
}

interface MemberRowProps {
  member: Member;
  isLastOwner: boolean;
  onRemove: () => void;
}

function MemberRow({ member, isLastOwner, onRemove }: MemberRowProps) {
  const { user } = useSession();
  const { role: own } = useWorkspace();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (role: string) => api(`/api/members/${member.userId}`, { method: "PATCH", body: { role } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey }),
  });
  const isOwn = member.userId === user.id;
  const locked = lockedBecause(member, own, isLastOwner);
  const canRemove = !isLastOwner && (isOwn || locked === undefined);
  return (
    <li className={ROW}>
      <div className="grid grid-cols-1 gap-0.5">
        <span className="flex flex-wrap items-center gap-2 wrap-anywhere font-medium">
          {member.name ?? member.email}
          {isOwn && <Tag>you</Tag>}
        </span>
        <span className="break-all text-xs text-muted">
          {member.email}, joined <RelativeTime instant={member.joinedAt} />
          {member.lastSeenAt && (
            <>
              , last seen <RelativeTime instant={member.lastSeenAt} />
            </>
          )}
        </span>
        {change.error && <ErrorNotice error={change.error} />}
      </div>
      <div className="flex items-center gap-2">
        <select
          aria-label={`Role of ${member.name ?? member.email}`}
          className={`${inputStyle} w-auto`}
          value={member.role}
          disabled={locked !== undefined || change.isPending}
          title={locked}
          onChange={(event) => change.mutate(event.target.value)}
        >
          {ROLES.filter((role) => role === member.role || role !== "owner" || own === "owner").map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
        <Button
          kind="danger"
          className="shrink-0"
          disabled={!canRemove}
          title={canRemove ? undefined : locked}
          onClick={onRemove}
          aria-label={isOwn ? "Leave the workspace" : `Remove ${member.name ?? member.email}`}
        >
          {isOwn ? "Leave" : "Remove"}
        </Button>
      </div>
    </li>
  );
}

function Invite() {
  const { role: own } = useWorkspace();
  const queryClient = useQueryClient();
  const invite = useMutation({
    mutationFn: (body: object) => api<CreatedInvitation>("/api/invitations", { method: "POST", body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: INVITATIONS }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    invite.mutate(Object.fromEntries(new FormData(form)), { onSuccess: () => form.reset() });
  };
  const options = ROLES.filter((role) => own === "owner" || role !== "owner").map((role) => ({
    value: role,
    label: role,
  }));
  return (
    <div className="grid gap-3">
      <form onSubmit={submit} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
        <Field label="Email address" name="email" type="email" required autoComplete="off" />
        <SelectField label="Role" name="role" defaultValue="member" options={options} />
        <Button kind="primary" type="submit" disabled={invite.isPending}>
          Invite
        </Button>
      </form>
      {invite.error && <ErrorNotice error={invite.error} />}
      {invite.data && <InvitationLink invitation={invite.data} />}
    </div>
  );
}

/** What became of the mail, by how the server sends mail. */
const MAILED: Record<MailDelivery, (email: string) => string> = {
  smtp: (email) => `We also sent one to ${email}.`,
  log: () => "This server writes its mails to its log: send the link yourself.",
  none: () => "Mail is not set up on this server: send the link yourself.",
};

function InvitationLink({ invitation: { email, url, mailed } }: { invitation: CreatedInvitation }) {
  const mail = useQuery(registrationQuery).data?.mail ?? "smtp";
  return (
    <Notice tone="completed">
      <span className="grid gap-2">
        <span>
          Copy the link now, it is not shown again.{" "}
          {mailed || mail === "none" ? MAILED[mail](email) : "No mail was sent: send the link yourself."}
        </span>
        <code className="break-all font-mono text-xs">{url}</code>
        <CopyButton text={url} label="Copy link" />
      </span>
    </Notice>
  );
}

function Invitations() {
  const invitations = useQuery({
    queryKey: INVITATIONS,
    queryFn: ({ signal }) => api<InvitationList>("/api/invitations", { signal }),
  });
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
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: INVITATIONS });
  const resend = useMutation({
    mutationFn: (mail: boolean) =>
      api<CreatedInvitation>(`/api/invitations/${id}/resend`, { method: "POST", body: { mail } }),
    onSuccess,
  });
  const revoke = useMutation({
    mutationFn: () => api(`/api/invitations/${id}`, { method: "DELETE" }),
    onSuccess,
  });
  const error = resend.error ?? revoke.error;
  return (
    <li className={ROW}>
      <div className={`grid gap-0.5 ${isExpired ? "text-muted" : ""}`}>
        <span className="break-all font-medium">{email}</span>
        <span className="text-xs text-muted">
          {role}, invited by {invitedBy}, {isExpired ? "expired" : "expires"}{" "}
          <RelativeTime instant={expiresAt} />
        </span>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button disabled={resend.isPending} onClick={() => resend.mutate(false)}>
          New link
        </Button>
        <Button disabled={resend.isPending} onClick={() => resend.mutate(true)}>
          Send again
        </Button>
        <Button
          kind="danger"
          onClick={() => revoke.mutate()}
          aria-label={`Revoke the invitation of ${email}`}
        >
          Revoke
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {resend.data && <InvitationLink invitation={resend.data} />}
    </li>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute } from "@tanstack/react-router";
import { includesRole, type Member, type Role } from "@whytrace/contract";
import { useRef, useState } from "react";
import { api } from "../../client/api.ts";
import { membersQuery } from "../../client/people/members-query.ts";
import { useSession } from "../../client/session.ts";
import { useWorkspace } from "../../client/use-workspace.ts";
import { RoleNote } from "../../shell/role-note.tsx";
import { Dialog } from "../../ui/controls/dialog.tsx";
import { useListShortcuts } from "../../ui/hooks/use-list-shortcuts.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { useUndoableChanges } from "../../ui/hooks/use-undoable-changes.ts";
import { type KeyHint, KeyHints } from "../../ui/key-hints.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { SkeletonList } from "../../ui/skeleton.tsx";
import { UndoBar } from "../../ui/undo-bar.tsx";
import { SettingsLayout, SettingsSection } from "../settings-layout.tsx";
import { useConfirmed } from "../sign-in/use-confirmed.tsx";
import { Invitations } from "./invitations.tsx";
import { invitationsQuery } from "./invitations-query.ts";
import { Invite } from "./invite.tsx";
import { MembersTable } from "./members-table.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { StepDown } from "./step-down.tsx";

export const membersPage = createLazyRoute("/signed-in/settings/members")({ component: MembersPage });

const UNDO_MS = 6_000;
/** Fewer are seen at a glance. */
const MIN_FILTERED = 10;

const nameOf = ({ name, email }: Member) => name ?? email;
const people = (count: number) => (count === 1 ? "1 member" : `${count} members`);

function MembersPage() {
  const { user } = useSession();
  const workspace = useWorkspace();
  const isAdmin = includesRole(workspace.role, "admin");
  const queryClient = useQueryClient();
  const query = useQuery(membersQuery);
  const invited = useQuery({ ...invitationsQuery, enabled: isAdmin }).data?.invitations ?? [];
  const [removed, setRemoved] = useState<Member | null>(null);
  const [ownRole, setOwnRole] = useState<{ member: Member; role: Role } | null>(null);
  const [filter, setFilter] = useState("");
  const { run, dialog } = useConfirmed();
  const changes = useUndoableChanges(UNDO_MS, () =>
    queryClient.invalidateQueries({ queryKey: membersQuery.queryKey }),
  );
  const { list, search } = useListShortcuts();
  const invite = useRef<HTMLInputElement>(null);
  useShortcuts({ i: () => invite.current?.focus() });

  const setRole = (member: Member, role: Role) =>
    run(`make ${nameOf(member)} ${role}`, () =>
      api("PATCH /api/members/:userId", { params: { userId: member.userId }, body: { role } }),
    );
  const changeRole = (member: Member, role: Role) => {
    if (member.userId === user.id) return setOwnRole({ member, role });
    changes.make(async () => {
      await setRole(member, role);
      return { text: `${nameOf(member)} is ${role} now`, undo: () => setRole(member, member.role) };
    });
  };

  const members = query.data?.members ?? [];
  const isFiltered = members.length >= MIN_FILTERED;
  const shown = members.filter(({ name, email }) =>
    `${name ?? ""} ${email}`.toLowerCase().includes(isFiltered ? filter.toLowerCase() : ""),
  );
  const pending = invited.filter(({ isExpired }) => !isExpired).length;
  const hints: KeyHint[] = [
    ...(isAdmin ? [[["i"], "invite"] satisfies KeyHint] : []),
    ...(isFiltered ? [[["/"], "filter"] satisfies KeyHint] : []),
    [["j", "k"], "rows"],
  ];
  return (
    <SettingsLayout>
      <SettingsSection title="Members">
        <div className="flex flex-wrap items-center gap-x-4">
          <p className="text-muted">
            {query.data && `${people(members.length)} · `}
            {pending > 0 && `${pending} invited · `}no price per person
          </p>
          <KeyHints hints={hints} />
        </div>
        {isAdmin ? <Invite field={invite} /> : <RoleNote needed="admin" act="Inviting people" />}
        {isFiltered && (
          <SearchField
            ref={search}
            label="Filter members"
            value={filter}
            onSearch={(text = "") => setFilter(text)}
          />
        )}
        <div ref={list}>
          <QueryResult query={query} skeleton={<SkeletonList count={3} />}>
            {() =>
              shown.length === 0 ? (
                <p className="rounded-md border border-line px-3 py-3 text-muted">
                  No member has “{filter}” in their name or address.
                </p>
              ) : (
                <MembersTable
                  members={shown}
                  owners={members.filter(({ role }) => role === "owner").length}
                  isBusy={changes.isPending}
                  onRole={changeRole}
                  onRemove={setRemoved}
                />
              )
            }
          </QueryResult>
        </div>
        {members.length === 1 && pending === 0 && (
          <p className="text-muted">
            You are alone here. Invite a colleague: they see the same traces, and it costs nothing.
          </p>
        )}
      </SettingsSection>
      {isAdmin && <Invitations />}
      <UndoBar changes={changes} />
      <Dialog
        title={
          removed?.userId === user.id
            ? `Leave ${workspace.name}?`
            : `Remove ${removed ? nameOf(removed) : ""} from ${workspace.name}?`
        }
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
      >
        {removed && <RemoveMember member={removed} onDone={() => setRemoved(null)} />}
      </Dialog>
      <Dialog title="Change your own role?" isOpen={ownRole !== null} onClose={() => setOwnRole(null)}>
        {ownRole && (
          <StepDown
            {...ownRole}
            change={() => setRole(ownRole.member, ownRole.role)}
            onDone={() => setOwnRole(null)}
          />
        )}
      </Dialog>
      {dialog}
    </SettingsLayout>
  );
}

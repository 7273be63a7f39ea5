import { includesRole, type Member, ROLES, type Role } from "@whytrace/contract";
import { useSession } from "../../client/session.ts";
import { useWorkspace } from "../../client/use-workspace.ts";
import { Tag } from "../../ui/badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

interface MembersTableProps {
  members: readonly Member[];
  /** How many owners the workspace has, also those that a filter leaves out. */
  owners: number;
  isBusy: boolean;
  onRole: (member: Member, role: Role) => void;
  onRemove: (member: Member) => void;
}

const HEAD = "h-8 px-3 text-left text-xs font-medium text-muted";

/** The members of the workspace. Where there is too little room for columns, each is a block. */
export function MembersTable({ members, ...rest }: MembersTableProps) {
  const isAdmin = includesRole(useWorkspace().role, "admin");
  return (
    <div className="rounded-md border border-line">
      <table className="w-full table-fixed border-collapse max-xl:block">
        <thead className="border-b border-line max-xl:sr-only">
          <tr>
            <th scope="col" className={HEAD}>
              Person
            </th>
            {isAdmin && (
              <>
                <th scope="col" className={`w-28 ${HEAD}`}>
                  Second factor
                </th>
                <th scope="col" className={`w-25 ${HEAD}`}>
                  Last seen
                </th>
              </>
            )}
            <th scope="col" className={`w-25 ${HEAD}`}>
              Joined
            </th>
            <th scope="col" className={`w-56 ${HEAD}`}>
              Role
            </th>
          </tr>
        </thead>
        <tbody className="max-xl:block">
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why the role of a member cannot be changed; undefined if it can. */
function lockedBecause(member: Member, own: Role, isLastOwner: boolean): string | undefined {
  if (!includesRole(own, "admin")) return "Changing roles needs the role admin or owner.";
  if (isLastOwner) return "A workspace needs an owner.";
  if (member.role === "owner" && own !== "owner") return "Only an owner can change the role of an owner.";
  return undefined;
}

const FACT = "px-3 text-muted max-xl:p-0 max-xl:text-xs";

function MemberRow({
  member,
  owners,
  isBusy,
  onRole,
  onRemove,
}: Omit<MembersTableProps, "members"> & { member: Member }) {
  const { user } = useSession();
  const { role: own } = useWorkspace();
  const { name, email, role: current, joinedAt, lastSeenAt, hasSecondFactor } = member;
  const isOwn = member.userId === user.id;
  const isLastOwner = current === "owner" && owners === 1;
  const locked = lockedBecause(member, own, isLastOwner);
  const canRemove = !isLastOwner && (isOwn || locked === undefined);
  return (
    <tr
      data-row
      tabIndex={-1}
      className="border-b border-line last:border-0 focus:bg-sunken max-xl:flex max-xl:flex-wrap max-xl:items-center max-xl:gap-x-3 max-xl:gap-y-1 max-xl:px-3 max-xl:py-2"
    >
      <td className="px-3 py-2 max-xl:basis-full max-xl:p-0">
        <span className="flex flex-wrap items-center gap-x-2 wrap-anywhere font-medium">
          {name ?? email}
          {isOwn && <Tag>you</Tag>}
        </span>
        {name !== null && <span className="block break-all text-xs text-muted">{email}</span>}
      </td>
      {hasSecondFactor !== undefined && (
        <td className={FACT}>
          {hasSecondFactor ? (
            <span className="text-completed">
              ✓ <span className="xl:sr-only">second factor</span>
            </span>
          ) : (
            <span className="font-medium text-retry">
              <span className="max-xl:hidden">none</span>
              <span className="xl:hidden">no second factor</span>
            </span>
          )}
        </td>
      )}
      {lastSeenAt !== undefined && (
        <td className={FACT}>
          <span className="xl:hidden">seen </span>
          {lastSeenAt ? <RelativeTime instant={lastSeenAt} /> : "never"}
        </td>
      )}
      <td className={FACT}>
        <span className="xl:hidden">joined </span>
        <RelativeTime instant={joinedAt} />
      </td>
      <td className="px-3 max-xl:ml-auto max-xl:p-0 max-sm:basis-full">
        <div className="flex items-center justify-between gap-2">
          <select
            aria-label={`Role of ${name ?? email}`}
            className={`${inputStyle} w-auto`}
            value={current}
            disabled={locked !== undefined || isBusy}
            title={locked}
            onChange={({ target }) => {
              const chosen = ROLES.find((role) => role === target.value);
              if (chosen) onRole(member, chosen);
            }}
          >
            {ROLES.filter((role) => role === current || role !== "owner" || own === "owner").map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
          <Button
            kind="danger"
            disabled={!canRemove}
            title={canRemove ? undefined : locked}
            onClick={() => onRemove(member)}
            aria-label={isOwn ? "Leave the workspace" : `Remove ${name ?? email}`}
          >
            {isOwn ? "Leave" : "Remove"}
          </Button>
        </div>
      </td>
    </tr>
  );
}

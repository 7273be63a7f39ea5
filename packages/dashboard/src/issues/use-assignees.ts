import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../client/people/members-query.ts";
import { useUser } from "../client/session.ts";
import type { MenuItem } from "../ui/controls/menu-button.tsx";

const FRESH_MS = 60_000;

export interface Assignee {
  id: string;
  /** "you", or a name. */
  words: string;
}

/** Whom issues can be assigned to: oneself first, then the other members by name. */
export function useAssignees(): Assignee[] {
  const { id: userId } = useUser();
  const members = useQuery({ ...membersQuery, staleTime: FRESH_MS }).data?.members ?? [];
  const others = members
    .filter((member) => member.userId !== userId)
    .map((member) => ({ id: member.userId, words: member.name ?? member.email }))
    .sort((a, b) => a.words.localeCompare(b.words));
  return [{ id: userId, words: "you" }, ...others];
}

/** A menu of them. `chosen` is the id of the one who has the issues; undefined if several have them. */
export const assigneeItems = (
  assignees: readonly Assignee[],
  chosen: string | null | undefined,
  onAssign: (assignee: Assignee | null) => void,
): MenuItem[] => [
  { label: "Nobody", isFixed: true, isChosen: chosen === null, onSelect: () => onAssign(null) },
  ...assignees.map((assignee, index) => ({
    key: assignee.id,
    label: index === 0 ? "Me" : assignee.words,
    isChosen: assignee.id === chosen,
    onSelect: () => onAssign(assignee),
  })),
];

import type { OutcomeDefinition } from "@whytrace/contract";
import { useUser } from "../client/session.ts";
import { formatDate } from "../ui/format/format.ts";

interface VersionNoteProps {
  shown: OutcomeDefinition;
  agent: string | undefined;
}

/** `version 3, by you, 2 Nov 2026`. */
export function VersionNote({ shown, agent }: VersionNoteProps) {
  const { id: userId } = useUser();
  return (
    <span className="rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted">
      {versionWords(shown, agent, userId)}
    </span>
  );
}

export function versionWords(
  { version, createdAt, createdBy }: OutcomeDefinition,
  agent: string | undefined,
  userId: string,
): string {
  if (version === 0) return agent === undefined ? "built in" : "the workspace’s";
  const by = createdBy === userId ? "you" : (createdBy ?? "a member who is gone");
  return [`version ${version}, by ${by}`, createdAt && formatDate(Date.parse(createdAt))]
    .filter(Boolean)
    .join(", ");
}

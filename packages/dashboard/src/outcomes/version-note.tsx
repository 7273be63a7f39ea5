import type { OutcomeDefinition } from "@whytrace/contract";
import { useAuthorName } from "../shell/author.tsx";
import { formatDate } from "../ui/format/format.ts";

interface VersionNoteProps {
  shown: OutcomeDefinition;
  agent: string | undefined;
}

/** `version 3, by you, 2 Nov 2026`. */
export function VersionNote(props: VersionNoteProps) {
  return (
    <span className="rounded-[5px] border border-line px-1.5 text-xs leading-5 text-muted">
      <VersionWords {...props} />
    </span>
  );
}

export function VersionWords({ shown: { version, createdAt, createdBy }, agent }: VersionNoteProps) {
  const by = useAuthorName(createdBy === null ? null : { id: createdBy });
  if (version === 0) return agent === undefined ? "built in" : "the workspace’s";
  return [`version ${version}, by ${by}`, createdAt && formatDate(Date.parse(createdAt))]
    .filter(Boolean)
    .join(", ");
}

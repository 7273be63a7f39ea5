import { parseInstant } from "@whytrace/contract";

/** The trace after which a search continues. Searches go from the newest trace to the oldest. */
export interface SearchCursor {
  /** An ISO 8601 date. */
  startedAt: string;
  id: string;
}

/** Before every trace. */
export const START: SearchCursor = { startedAt: "9999-12-31T23:59:59.999Z", id: "\u{10ffff}" };

export const formatCursor = ({ startedAt, id }: SearchCursor) =>
  Buffer.from(`${startedAt} ${id}`).toString("base64url");

export function parseCursor(text: string): SearchCursor | undefined {
  const [, startedAt, id] = /^(\S+) (.+)$/s.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (startedAt === undefined || id === undefined || parseInstant(startedAt) === undefined) return undefined;
  return { startedAt, id };
}

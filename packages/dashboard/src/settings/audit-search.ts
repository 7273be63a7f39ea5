import { omitEmpty, parseText } from "../client/search-params.ts";

/** Which events the page lists. */
export interface AuditSearch {
  action?: string | undefined;
  /** The id of the user or key. */
  actor?: string | undefined;
  /** The first and the last day, in UTC. */
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const parseDay = (value: unknown): string | undefined =>
  typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

export const parseAuditSearch = ({ action, actor, from, to }: Record<string, unknown>): AuditSearch =>
  omitEmpty({
    action: parseText(action),
    actor: parseText(actor),
    from: parseDay(from),
    to: parseDay(to),
  });

/** Something that happened to an issue and is worth a message. */
export interface IssueEvent {
  number: number;
  type: "issue.new" | "issue.regressed" | "issue.reopened" | "issue.resolved";
  /** The run that made it happen. */
  traceId?: string | undefined;
  /** Why it was reopened: "50 more runs". */
  reason?: string | undefined;
}

/** What events of an issue are about. */
export const subjectOf = (number: number) => `issue:${number}`;

/** The number of the issue that a subject names; undefined if it names something else. */
export function numberOfSubject(subject: string): number | undefined {
  const [, number] = /^issue:(\d+)$/.exec(subject) ?? [];
  return number === undefined ? undefined : Number(number);
}

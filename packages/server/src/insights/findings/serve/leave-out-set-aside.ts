import type { StoredList } from "../stored/read-stored-findings.ts";

/** Leaves out rows of decisions that a workspace set aside. What only they explain counts as chance. */
export function leaveOutSetAside(lists: readonly StoredList[], aside: ReadonlySet<number>): StoredList[] {
  return lists.map((list) => {
    const { body } = list;
    const left = body.rows.filter(({ signature }) => !aside.has(signature));
    if (left.length === body.rows.length) return list;
    const steps = new Set(left.map(({ step }) => step));
    const rows = left.map((row) => ({
      ...row,
      togetherWith: row.togetherWith.filter((step) => steps.has(step)),
    }));
    const explained = rows.reduce(
      (sum, { group, figures }) => sum + (group === "worse" ? (figures?.explains ?? 0) : 0),
      0,
    );
    // What two rows explain together is in both of them, so the sum may be too large.
    return { ...list, body: { ...body, rows, chance: Math.max(body.chance, body.badRuns - explained) } };
  });
}

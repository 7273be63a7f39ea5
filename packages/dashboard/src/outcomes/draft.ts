import type { Condition } from "@whytrace/contract";

/** A condition that is being edited. Two conditions may be equal, so each has a key. */
export interface DraftCondition {
  key: number;
  condition: Condition;
}

let lastKey = 0;
export const toDraft = (condition: Condition): DraftCondition => ({ key: ++lastKey, condition });

/** Whether a draft says something else than what is saved. The order of fields does not matter. */
export const isChanged = (draft: readonly DraftCondition[], saved: readonly Condition[]): boolean =>
  JSON.stringify(draft.map(({ condition }) => sorted(condition))) !== JSON.stringify(saved.map(sorted));

const sorted = (condition: Condition) => Object.entries(condition).sort(([a], [b]) => (a < b ? -1 : 1));

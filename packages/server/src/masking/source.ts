import {
  MASKING_FIELDS,
  MAX_SOURCE_LENGTH,
  MAX_SOURCE_STEPS,
  type MaskingField,
} from "@whytrace/contract/schemas/masking/settings";

/** Where a rule applies. */
export interface Source {
  /** Undefined: in every field. */
  field?: MaskingField;
  /** The steps from the field's value down. Empty: the whole field. */
  path: readonly string[];
  /** Set if the rule applies only below objects with this role. */
  role?: string;
}

const STEP = /^[^\s.[\]]+$/;
const ROLE = /^messages:([a-z_-]{1,32})$/;

/** Reads `*`, `input`, `input.customer.*`, `metadata.**.email` or `messages:user`; undefined if it is none of these. */
export function parseSource(text: string): Source | undefined {
  if (text === "*") return { path: [] };
  const role = ROLE.exec(text)?.[1];
  if (role !== undefined) return { path: [], role };
  const [first, ...path] = text.split(".");
  const field = MASKING_FIELDS.find((known) => known === first);
  if (!field || text.length > MAX_SOURCE_LENGTH || path.length > MAX_SOURCE_STEPS) return undefined;
  return path.every((step) => STEP.test(step)) ? { field, path } : undefined;
}

/*
 * How far along a path a value is: a bit for each number of steps that were taken. `**` stands for any number of keys, so
 * several bits may be set. A value is at the source if the bit of the whole path is set.
 */
export const startOfPath = (path: readonly string[]): number => skipAnySteps(path, 1);

export function takeStep(path: readonly string[], taken: number, key: string): number {
  let next = 0;
  for (const [index, step] of path.entries()) {
    if ((taken & (1 << index)) === 0) continue;
    if (step === "**") next |= 1 << index;
    else if (step === "*" || step === key) next |= 1 << (index + 1);
  }
  return skipAnySteps(path, next);
}

export const isAtEnd = (path: readonly string[], taken: number) => (taken & (1 << path.length)) !== 0;

/** `**` also stands for no key at all. */
function skipAnySteps(path: readonly string[], taken: number): number {
  let all = taken;
  for (const [index, step] of path.entries())
    if (step === "**" && (all & (1 << index)) !== 0) all |= 1 << (index + 1);
  return all;
}

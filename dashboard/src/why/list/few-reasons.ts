import { MIN_COMPARED_DECISIONS, type WhyRow } from "@whytrace/contract";

/** A part of the reason: an option's name and what holds for it. */
export interface FewReason {
  option: string | null;
  text: string;
}

const MAX_OPTIONS = 3;

/** Why the options of a decision are not compared. */
export function fewReasons({ options, neverChosen }: Pick<WhyRow, "options" | "neverChosen">): FewReason[] {
  const [first, ...others] = options;
  if (!first) return [];
  if (others.length === 0 && neverChosen.length === 0)
    return [{ option: null, text: "no alternatives were sent" }];
  const few = (others.length === 0 ? [] : options).filter(
    ({ rate }) => rate.decisions < MIN_COMPARED_DECISIONS,
  );
  return [
    ...(others.length === 0 ? [{ option: first.name, text: "every time" }] : []),
    ...few.map(({ name, rate }) => ({ option: name, text: `only ${times(rate.decisions)}` })),
    ...neverChosen.map((option) => ({ option, text: "never chosen" })),
  ].slice(0, MAX_OPTIONS);
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

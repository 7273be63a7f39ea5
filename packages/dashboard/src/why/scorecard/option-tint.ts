/** Shares of the type's colour in the tints of its options, the most frequent option first. */
const STRENGTHS = [80, 50, 24, 12];

/** The tint of an option: the colour of the decision's type, which `--tint` holds, lighter for less frequent options. */
export function optionTint(index: number): string {
  const strength = STRENGTHS[Math.min(index, STRENGTHS.length - 1)] ?? 0;
  return `color-mix(in oklab, var(--tint) ${strength}%, var(--color-bg))`;
}

/** Whether text on the tint has to be light. */
export const isStrongTint = (index: number) => index === 0;

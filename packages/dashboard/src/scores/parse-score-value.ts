const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** `true` and `false` are booleans, digits are numbers, anything else is a label. Undefined if nothing was typed. */
export function parseScoreValue(text: string): boolean | number | string | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (typed === "true" || typed === "false") return typed === "true";
  const number = NUMBER.test(typed) ? Number(typed) : Number.NaN;
  return Number.isFinite(number) ? number : typed;
}

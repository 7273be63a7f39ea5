/** Names of fields that a later call needs whole. */
const WHOLE = /(?:^|[a-z])[iI]d$|^(?:signature|step|cursor|span|decision|event)$/;

interface ShortenLimits {
  characters: number;
  items: number;
}

/** A copy of a JSON value with long texts and lists cut, and a note of how much was left out. Ids stay whole. */
export function shorten(value: unknown, limits: ShortenLimits, name = ""): unknown {
  if (typeof value === "string") return WHOLE.test(name) ? value : shortenText(value, limits.characters);
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((item) => shorten(item, limits));
    return value.length > limits.items ? [...items, `… ${value.length - limits.items} more`] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const shown = entries.slice(0, limits.items).map(([key, one]) => [key, shorten(one, limits, key)]);
  if (entries.length > limits.items) shown.push(["…", `${entries.length - limits.items} more`]);
  return Object.fromEntries(shown);
}

function shortenText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${sliceText(text, 0, characters)}… (${text.length - characters} more characters)`;
}

/** Like `slice`, without dividing a surrogate pair. */
export function sliceText(text: string, start: number, end: number): string {
  const isDivided = (at: number) => at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(at));
  return text.slice(isDivided(start) ? start - 1 : start, isDivided(end) ? end - 1 : end);
}

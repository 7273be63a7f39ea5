/** A number literal in its place: after the start, a colon, comma or bracket, and before a comma, bracket or the end. */
const NUMBER = /(?:^|[:,[])\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*(?=[,\]}]|$)/g;
/** Only such literals can have a value that JavaScript cannot represent. */
const LONG_NUMBER = /(?:^|[:,[])\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/** TypeScript does not declare these functions yet. Browsers have them since 2025. */
const {
  rawJSON,
  isRawJSON,
}: { rawJSON?(text: string): unknown; isRawJSON?(value: unknown): boolean } & Pick<JSON, "parse"> = JSON;

/**
 * Parses JSON and keeps every number whose text JavaScript would change, such as 9007199254740993 or 1.0, as an object
 * that `JSON.stringify` writes as it was sent. Older browsers round such numbers.
 */
export const parseExactJson = (text: string): unknown =>
  hasChangedNumber(text) ? parse(text, (source, value) => source !== String(value)) : JSON.parse(text);

/** The same for records with numeric fields: keeps only numbers whose value JavaScript would change. */
export const parseExactValues = (text: string): unknown =>
  LONG_NUMBER.test(text)
    ? parse(text, (source, value) => canonical(source) !== canonical(String(value)))
    : JSON.parse(text);

/** Whether the value is a number that is kept as it was sent. */
export const isExactNumber = (value: unknown): value is object => isRawJSON?.(value) ?? false;

function parse(text: string, isChanged: (source: string, value: number) => boolean): unknown {
  if (!rawJSON) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isChanged(source, value)
      ? rawJSON(source)
      : value;
  });
}

/** `JSON.parse` with a callback is five times slower, so most texts must avoid it. */
function hasChangedNumber(text: string): boolean {
  for (const [, source = ""] of text.matchAll(NUMBER)) if (String(Number(source)) !== source) return true;
  return false;
}

/** Sign, digits and exponent without superfluous zeros: 1.50e3 → `15e2`. */
function canonical(number: string): string {
  const [, sign, integer = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = (integer + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return sign === undefined ? number : "0";
  return `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

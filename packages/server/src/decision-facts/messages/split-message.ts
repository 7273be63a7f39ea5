import { MASK_READ_LENGTH } from "@whytrace/contract";

/** A piece of a message; `mask` is what stands for it if it differs from run to run. */
interface MessagePiece {
  text: string;
  mask: string | null;
}

/** A message without any of these has nothing that a rule could find. */
const MAY_HAVE_MASKED = /[\d"'@?#]/;

const TIME_UNIT =
  "(?:milliseconds?|msecs?|ms|microseconds?|[µu]s|nanoseconds?|ns|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)";
const NUMBER = "\\d(?:[\\d.,:]*\\d)?";
/** An opening quote follows white space or a bracket, so that neither an apostrophe nor a closing quote is one. */
const OPENING = "(?<=^|[\\s(\\[{=:,])";
const quoted = (quote: string) =>
  `${OPENING}${quote}(?:[^${quote}]|[^${quote}\\s]*\\s[^${quote}]*|[^${quote}]{41,})${quote}(?!\\w)`;

/** Of these there are many that are alike, so a number after their name tells none of them from a cause. */
const COUNTED =
  "run|job|task|worker|thread|pool|process|node|pod|container|instance|replica|shard|partition|queue|batch|chunk|attempt|session|request";

/** The rules, of which the first that fits at a place counts. Their repetitions are not nested, so none can take exponential time. */
const RULES: readonly (readonly [name: string, pattern: string])[] = [
  ["status", "(?<=\\b(?:HTTP|status|code|error)[\\s:=]{1,2})[1-5]\\d\\d(?![\\w]|[.,:]\\d)"],
  ["query", "(?<=https?:\\/\\/[^\\s?#\"'<>]{1,400})[?#][^\\s\"'<>]*"],
  ["mail", "[\\w.+-]{1,64}@[\\w-]{1,63}\\.[\\w.-]{0,98}\\w"],
  ["uuid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
  [
    "date",
    "(?<!\\d)\\d{4}-\\d\\d-\\d\\d(?!\\d)(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?",
  ],
  ["id", "(?<=(?<![a-z0-9])[a-z]{2,10}[-_])(?=[a-z]*\\d[a-z]*\\d)[a-z0-9]{8,}"],
  ["hex", "(?<![0-9a-z])(?=[a-f]*\\d)[0-9a-f]{8,}(?![0-9a-z])"],
  ["quoted", `${quoted('"')}|${quoted("'")}`],
  ["counted", `(?<=(?<![a-z])(?:${COUNTED})[-_])\\d+(?![\\da-z]|\\.\\d)`],
  ["version", "(?<=[a-z][-_.]?)\\d{1,2}(?!\\d)(?:[-.]\\d{1,2}(?!\\d)){0,9}"],
  [
    "quantity",
    `${NUMBER}\\s?(?:(?<storage>[kmgtp]i?b)|${TIME_UNIT}(?:\\s?\\d[\\d.]{0,9}${TIME_UNIT}){0,3})(?![a-z0-9])`,
  ],
  ["number", `0x[0-9a-f]+(?![0-9a-z])|${NUMBER}`],
];
const MASKED = new RegExp(RULES.map(([name, pattern]) => `(?<${name}>${pattern})`).join("|"), "gi");

/** Takes the first 400 characters of a message apart. The pieces join to them. */
export function splitMessage(message: string): MessagePiece[] {
  const read = message.length > MASK_READ_LENGTH ? message.slice(0, MASK_READ_LENGTH) : message;
  if (!MAY_HAVE_MASKED.test(read)) return read === "" ? [] : [{ text: read, mask: null }];
  const pieces: MessagePiece[] = [];
  let kept = 0;
  const add = (from: number, to: number, mask: string) => {
    if (from > kept) pieces.push({ text: read.slice(kept, from), mask: null });
    pieces.push({ text: read.slice(from, to), mask });
    kept = to;
  };
  for (const { 0: found, index, groups = {} } of read.matchAll(MASKED)) {
    const end = index + found.length;
    if (groups.status !== undefined || groups.version !== undefined) continue;
    if (groups.quoted !== undefined) add(index + 1, end - 1, "#");
    else if (groups.query !== undefined) add(index, end, "?#");
    else if (groups.storage !== undefined) add(index, end, "# B");
    else add(index, end, groups.quantity === undefined ? "#" : "# s");
  }
  if (kept < read.length) pieces.push({ text: read.slice(kept), mask: null });
  return pieces;
}

import { type ParsedArgs, usageError } from "./command.ts";

/** Options and the query parameters that they set. */
const PARAMETERS = {
  agent: "agent",
  release: "release",
  base: "baseRelease",
  tag: "tag",
  "base-tag": "baseTag",
  from: "from",
  to: "to",
  "base-from": "baseFrom",
  "base-to": "baseTo",
} as const;
const DATES = ["from", "to", "base-from", "base-to"] as const;

/** What a command compares with what, as parameters of the API. */
export function comparisonQuery(args: ParsedArgs, command: string): URLSearchParams {
  for (const name of DATES) {
    const text = args.text(name);
    if (text !== undefined && !(/^\d{4}-/.test(text) && Number.isFinite(Date.parse(text))))
      throw usageError(`--${name} must be a date such as 2026-11-09, not ${JSON.stringify(text)}`, command);
  }
  const query = new URLSearchParams();
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const text = args.text(option);
    if (text !== undefined) query.set(parameter, text);
  }
  return query;
}

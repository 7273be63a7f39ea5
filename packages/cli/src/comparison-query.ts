import { type ParsedArgs, usageError } from "./command.ts";

const DATES = ["from", "to", "base-from", "base-to"] as const;

/** What a command compares with what, as parameters of the API. */
export function comparisonQuery(args: ParsedArgs, command: string) {
  for (const name of DATES) {
    const text = args.text(name);
    if (text !== undefined && !(/^\d{4}-/.test(text) && Number.isFinite(Date.parse(text))))
      throw usageError(`--${name} must be a date such as 2026-11-09, not ${JSON.stringify(text)}`, command);
  }
  return {
    agent: args.text("agent"),
    release: args.text("release"),
    baseRelease: args.text("base"),
    tag: args.text("tag"),
    baseTag: args.text("base-tag"),
    from: args.text("from"),
    to: args.text("to"),
    baseFrom: args.text("base-from"),
    baseTo: args.text("base-to"),
  };
}

import type { ParsedArgs } from "../../command.ts";
import { usageError } from "../../command.ts";

/** The number of an issue, as it is written: 31 or #31. */
export function issueNumber(args: ParsedArgs, command: string): number {
  const text = args.positionals[0] ?? "";
  const [, digits] = /^#?(\d{1,9})$/.exec(text) ?? [];
  if (digits === undefined)
    throw usageError(`The number of an issue is needed, such as 31, not ${JSON.stringify(text)}`, command);
  return Number(digits);
}

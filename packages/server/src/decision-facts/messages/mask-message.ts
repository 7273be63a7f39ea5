import { MASKED_MAX_LENGTH } from "@whytrace/contract";
import { splitMessage } from "./split-message.ts";

/**
 * Replaces the parts of an error message that differ from run to run, so that messages of one cause are equal: ids, numbers, times,
 * addresses and quoted sentences. What tells causes apart stays: status codes, models, names in quotes. White space collapses;
 * at most 200 characters are left. Apply it to the message as it was sent: a masked text may change if it is masked again.
 */
export function maskMessage(message: string): string {
  const masked = splitMessage(message)
    .map(({ text, mask }) => mask ?? text)
    .join("")
    // PostgreSQL's text cannot hold NUL.
    .replaceAll("\0", "")
    .replace(/\s+/g, " ")
    .trim();
  return (masked.length > MASKED_MAX_LENGTH ? masked.slice(0, MASKED_MAX_LENGTH) : masked).toWellFormed();
}

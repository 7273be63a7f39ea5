import { hash32, maskText } from "@whytrace/contract";
import { maskMessage } from "./messages/mask-message.ts";

/** Equal for errors whose messages differ only in masked parts. An error without a message is known by its name. */
export function errorFingerprint(name: string, message: string | null): number {
  const masked = message === null ? "" : maskMessage(message);
  // A masked text has no line break, so a name is never taken for a message.
  return hash32(masked === "" ? `\n${maskText(name)}` : masked);
}

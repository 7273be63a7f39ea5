/**
 * - `recipient`: the address does not exist or takes no mail. Another attempt would fail too.
 * - `sender`: the server is not reachable or accepts no mail from this sender. The operator can fix it for all mails.
 * - `mail`: a temporary rejection, or one of the content.
 */
type FailureCause = "recipient" | "sender" | "mail";

/** SMTP commands after which a rejection concerns one mail. */
const OF_ONE_MAIL = new Set(["RCPT TO", "DATA"]);

/** Replies without an enhanced status code that servers send for a missing sign-in or denied relaying. */
const SENDER_REPLIES = new Set([530, 535, 554]);

export function causeOf(error: unknown): FailureCause {
  const { command, responseCode, response } = describeFailure(error);
  if (!OF_ONE_MAIL.has(command)) return "sender";
  if (command !== "RCPT TO" || responseCode < 500) return "mail";
  const status = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})/.exec(response)?.[1];
  if (status === undefined) return SENDER_REPLIES.has(responseCode) ? "sender" : "recipient";
  // RFC 3463: 5.7.x is policy, such as denied relaying; 5.1.7 and 5.1.8 are the sender's address.
  return /^(7\.|1\.[78]$)/.test(status) ? "sender" : "recipient";
}

/** The fields of the mail library's errors. `response` may contain addresses, so it must not be logged. */
export function describeFailure(error: unknown) {
  const field = (name: string) =>
    typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
  return {
    code: String(field("code") ?? "unknown"),
    command: String(field("command") ?? "unknown"),
    responseCode: Number(field("responseCode") ?? 0),
    response: String(field("response") ?? ""),
  };
}

/** A mail as the outbox keeps it. Nothing in it was typed by a stranger but the recipient's address. */
export interface Mail {
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** How long it is worth sending: a link that has expired helps nobody. */
  usefulForMinutes: number;
}

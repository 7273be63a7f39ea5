/**
 * A mail in the outbox. Except for the recipient's address it must not contain user input, which could be spam, unless it goes to a
 * verified address of a member.
 */
export interface Mail {
  /** A mail with an id is put into the outbox once, however often it is queued. */
  id?: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** An unsent mail is deleted after this time, for example when its link has expired. */
  expiresInMinutes: number;
  /** Beside those of every mail. A value is sent as it is, on one line. */
  headers?: Readonly<Record<string, string>>;
}

/** A mail in the outbox. Except for the recipient's address it must not contain user input, which could be spam. */
export interface Mail {
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** An unsent mail is deleted after this time, for example when its link has expired. */
  expiresInMinutes: number;
}

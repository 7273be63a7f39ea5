import type { TierTerms } from "./tiers.ts";

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 200;

export interface User {
  id: string;
  email: string;
  name: string | null;
  isEmailVerified: boolean;
  createdAt: string;
}

export interface Session {
  user: User;
  expiresAt: string;
}

/** A user's session in the list on the account page. */
export interface SignIn {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string | null;
  isCurrent: boolean;
}

/** What happens to the server's mails: they are sent, written to its log, or neither. */
export type MailDelivery = "smtp" | "log" | "none";

/** What a visitor needs to know before registering. */
export interface Registration {
  isOpen: boolean;
  /** The plan of a new account. */
  plan: TierTerms;
  mail: MailDelivery;
}

export const MAX_SHARES_PER_USER = 100;
export const SHARE_DAYS = 30;

/** A secret link to one trace, which everybody who has it can read. */
export interface Share {
  id: string;
  traceId: string;
  /** Null if the trace was deleted, which ends the link. */
  traceName: string | null;
  hasPayloads: boolean;
  createdAt: string;
  expiresAt: string;
  isExpired: boolean;
  openCount: number;
  lastOpenedAt: string | null;
}

/** The response to the creation of a link, the only one that contains the link itself. */
export interface CreatedShare {
  id: string;
  url: string;
  hasPayloads: boolean;
  createdAt: string;
  expiresAt: string;
}

/** What the page of a shared trace needs to know about its link. */
export interface SharedLink {
  hasPayloads: boolean;
  expiresAt: string;
}

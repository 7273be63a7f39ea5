export const MAX_API_KEYS_PER_USER = 10;

/** What a key may do: send traces, read them, or read them and write verdicts. */
export const API_KEY_SCOPES = ["send", "read", "review"] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  scope: ApiKeyScope;
  createdAt: string;
  /** Null if the key does not expire. */
  expiresAt: string | null;
  isExpired: boolean;
  lastUsedAt: string | null;
}

/** The response to the creation of a key, the only one that contains the key itself. */
export interface CreatedApiKey {
  id: string;
  name: string;
  key: string;
  prefix: string;
  scope: ApiKeyScope;
  createdAt: string;
  expiresAt: string | null;
}

export const MAX_API_KEYS_PER_USER = 10;

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The answer to a creation: the only time the key itself is shown. */
export interface CreatedApiKey {
  id: string;
  name: string;
  key: string;
  prefix: string;
  createdAt: string;
}

export const MAX_API_KEYS_PER_USER = 10;

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The response to the creation of a key, the only one that contains the key itself. */
export interface CreatedApiKey {
  id: string;
  name: string;
  key: string;
  prefix: string;
  createdAt: string;
}

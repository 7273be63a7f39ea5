/** Of one member in a workspace. */
export const MAX_API_KEYS_PER_MEMBER = 10;
export const MAX_API_KEYS_PER_WORKSPACE = 100;

/** What a key may do: send traces, read them, or read them and write verdicts. */
export const API_KEY_SCOPES = ["send", "read", "review"] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

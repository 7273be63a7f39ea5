export type { Session, SignIn, User } from "./accounts.ts";
export { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./accounts.ts";
export type { ApiKey, CreatedApiKey } from "./api-keys.ts";
export { API_KEYS_PER_USER } from "./api-keys.ts";
export type { Tier, TierTerms } from "./tiers.ts";
export { TIERS } from "./tiers.ts";

/** The limit that the server stores and reports when limits are turned off. */
export const UNLIMITED_SESSIONS = 2_147_483_647;

export const isUnlimited = (sessionsLimit: number) => sessionsLimit >= UNLIMITED_SESSIONS;

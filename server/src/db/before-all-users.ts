/** Sorts before the id of every user: where a walk over all users begins. */
export const BEFORE_ALL_USERS = "00000000-0000-0000-0000-000000000000";

/** Sorts before the id of every workspace: where a walk over all workspaces begins. */
export const BEFORE_ALL_WORKSPACES = "00000000-0000-0000-0000-000000000000";

/**
 * The id of a workspace. A type of its own, so that the compiler rejects the id of a user in its place. `idOf` exists only
 * for the compiler.
 */
export type WorkspaceId = string & { readonly idOf: "workspace" };

/** For an id that came as text, and that the server itself has written. */
export const asWorkspaceId = (text: string): WorkspaceId => text as WorkspaceId;

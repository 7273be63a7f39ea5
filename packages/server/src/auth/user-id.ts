/**
 * The id of a user. A type of its own, so that the compiler rejects the id of a workspace in its place. `idOf` exists only
 * for the compiler.
 */
export type UserId = string & { readonly idOf: "user" };

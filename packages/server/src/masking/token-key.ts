import { createHmac } from "node:crypto";

/** The key of a workspace's tokens: with a secret of the operator, a stolen database alone does not tell it. */
export const tokenKey = (workspaceKey: Uint8Array, secret: string | undefined): Uint8Array =>
  secret === undefined ? workspaceKey : createHmac("sha256", secret).update(workspaceKey).digest();

import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, for a cookie or a link in a mail. */
export const randomToken = () => randomBytes(32).toString("base64url");

/** The database stores only this hash. Random tokens need neither a salt nor a slow hash. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest();

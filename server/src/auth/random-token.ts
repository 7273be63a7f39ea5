import { createHash, randomBytes } from "node:crypto";

/** 256 random bits: what a cookie or a mailed link carries. */
export const randomToken = () => randomBytes(32).toString("base64url");

/** What the database keeps of a token; random bits need no salt and no slow hash. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest();

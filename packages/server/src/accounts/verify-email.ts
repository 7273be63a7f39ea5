import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { type AddressProof, proveAddress } from "./prove-address.ts";
import { consumeToken, deleteTokens, EMAIL_VERIFICATION, issueToken, PASSWORD_RESET } from "./tokens.ts";

/**
 * Verifies an address with a mailed token. Returns a token to choose a password with, if what the person who registered the
 * address had set up was taken back, and their password with it.
 */
export async function verifyEmail(
  db: Database,
  token: string,
  proof: AddressProof,
): Promise<string | undefined> {
  return transaction(db, async (trx) => {
    const userId = await consumeToken(trx, EMAIL_VERIFICATION, token);
    if (!userId) throw new HttpError(400, "Invalid or expired token");
    const taken = await proveAddress(trx, userId, proof);
    // A link that was sent before an earlier proof.
    await deleteTokens(trx, EMAIL_VERIFICATION, userId);
    return taken && issueToken(trx, PASSWORD_RESET, userId);
  });
}

import { sql } from "kysely";

/**
 * Finds rows by hashes in hexadecimal. One hash, the usual case, is compared as such: PostgreSQL plans a statement with an array again
 * at each execution, because it takes an array that it does not know for a long one.
 */
export function hasHash(column: string, hashes: readonly string[]) {
  const [hash = "", ...more] = hashes;
  return more.length === 0
    ? sql`${sql.ref(column)} = ${Buffer.from(hash, "hex")}`
    : sql`${sql.ref(column)} = any(${hashes.map((one) => Buffer.from(one, "hex"))}::bytea[])`;
}

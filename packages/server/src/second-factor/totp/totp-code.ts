import { createHmac, timingSafeEqual } from "node:crypto";

/* Time-based one-time passwords, RFC 6238: SHA-1, 6 digits, 30 s, as every authenticator app has them. */

const STEP_MS = 30_000;
const DIGITS = 6;

export const stepAt = (timeMs: number) => Math.floor(timeMs / STEP_MS);

export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The time steps whose code this is: the present one, the one before and the one after, as clocks differ. */
export function stepsOf(secret: Buffer, code: string, timeMs: number): number[] {
  const given = Buffer.from(code.replaceAll(/\s/g, ""));
  const now = stepAt(timeMs);
  return [now - 1, now, now + 1].filter((step) => {
    const expected = Buffer.from(codeOf(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

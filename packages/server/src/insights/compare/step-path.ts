import { decodeDecisionPath } from "../../decision-facts/decode-decision-facts.ts";

/** The type that the driver returns for bytea. */
export type Bytes = Buffer<ArrayBufferLike>;

const STEP_BYTES = 4;

/** The smallest sequence of bytes that is greater than everything that begins with this one. */
export function afterPrefix(prefix: Uint8Array): Bytes {
  const end = Buffer.from(prefix);
  let last = end.length - 1;
  while (end[last] === 0xff) last -= 1;
  // After 0xff alone, only a longer sequence is greater than all paths: they have at most 256 bytes.
  if (last < 0) return Buffer.alloc(257, 0xff);
  end[last] = (end[last] ?? 0) + 1;
  return end.subarray(0, last + 1);
}

/** The paths that agree with this one up to some step, and there chose `step` instead; the longest agreement first. */
export function branchesTo(path: Uint8Array, step: number): Bytes[] {
  const stepBytes = Buffer.alloc(STEP_BYTES);
  stepBytes.writeUInt32BE(step);
  const steps = decodeDecisionPath(path);
  return steps
    .flatMap((own, index) =>
      own === step ? [] : [Buffer.concat([path.subarray(0, index * STEP_BYTES), stepBytes])],
    )
    .reverse();
}

/** How many steps from the start on are the same. */
export function commonLength(a: readonly number[], b: readonly number[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

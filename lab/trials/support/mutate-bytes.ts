import type { Random } from "@whytrace/demo";

/** Bytes that mean something in protobuf or JSON: lengths, tags, brackets, the ends of the ranges. */
const TELLING = [0, 1, 2, 0x0a, 0x12, 0x22, 0x2a, 0x32, 0x4a, 0x5a, 0x5b, 0x5d, 0x7b, 0x7d, 0x7f, 0x80, 0xff];

/** A copy with one to four random changes: other bytes, a part left out, repeated or moved, the end cut off. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let changes = random.between(1, 4); changes > 0; changes -= 1) mutated = mutateOnce(random, mutated);
  return mutated;
}

function mutateOnce(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const at = random.between(0, bytes.length - 1);
  const end = Math.min(bytes.length, at + random.between(1, 40));
  const part = bytes.subarray(at, end);
  switch (random.between(0, 6)) {
    case 0:
      bytes[at] = random.between(0, 255);
      return bytes;
    case 1:
      bytes[at] = TELLING[random.between(0, TELLING.length - 1)] ?? 0;
      return bytes;
    case 2:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      return bytes;
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, end), part, bytes.subarray(end)]);
    case 5: {
      const to = random.between(0, bytes.length - part.length);
      bytes.copyWithin(to, at, end);
      return bytes;
    }
    default:
      return random.between(0, 3) === 0 ? bytes.subarray(0, at) : bytes;
  }
}

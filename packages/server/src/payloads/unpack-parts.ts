import type { CopiedRow } from "../db/copy/copy-out.ts";
import type { PackedKind } from "./packed-fields.ts";
import { decodeDirectory, type PackedChild } from "./payload-directory.ts";
import { decompress } from "./zstd.ts";

interface WantedPart {
  part: number;
  positions: number[];
}

/**
 * Decompresses parts one after the other and takes out the payloads of the children of one kind that are wanted of each.
 * `rows` are those of `partsQuery`. The result is by position, in the order of `PACKED_FIELDS`.
 */
export async function unpackParts(
  rows: CopiedRow[],
  kind: PackedKind,
  wanted: WantedPart[],
): Promise<Map<number, (Buffer | null)[]>> {
  const byPart = Map.groupBy(rows, ([part]) => part?.readInt32BE() ?? 0);
  const payloads = new Map<number, (Buffer | null)[]>();
  for (const { part, positions } of wanted) {
    const pieces = byPart.get(part) ?? [];
    byPart.delete(part);
    const directory = decodeDirectory(pieces[0]?.[1] ?? Buffer.alloc(0));
    const content = await decompress(
      Buffer.concat(pieces.flatMap(([, , piece]) => piece ?? [])),
      directory.contentLength,
    );
    const isWanted = new Set(positions);
    const children = directory.children.filter(
      (child) => child.kind === kind && isWanted.has(child.position),
    );
    const wantedBytes = children.reduce((sum, { lengths }) => sum + lengthOf(lengths), 0);
    // A view would keep the memory of the whole part.
    const take = wantedBytes * 2 < content.length ? copyOf : (bytes: Buffer) => bytes;
    for (const child of children)
      payloads.set(
        child.position,
        payloadsOf(content, child).map((payload) => payload && take(payload)),
      );
  }
  return payloads;
}

const copyOf = (bytes: Buffer) => Buffer.from(bytes);

const lengthOf = (lengths: PackedChild["lengths"]) =>
  lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);

/** A child's payloads in the content of its part, in the order of `PACKED_FIELDS`. */
export function payloadsOf(content: Buffer, { start, lengths }: PackedChild): (Buffer | null)[] {
  let next = start;
  return lengths.map((length) => {
    if (length === null) return null;
    const payload = content.subarray(next, next + length);
    next += length;
    return payload;
  });
}

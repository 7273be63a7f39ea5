import type { CopiedRow } from "../db/copy/copy-out.ts";
import type { PackedKind } from "./packed-fields.ts";
import { visitDirectory } from "./payload-directory.ts";

export interface PartLocation {
  part: number;
  /** Uncompressed. */
  contentBytes: number;
}

interface PayloadLocation extends PartLocation {
  payloadBytes: number;
}

/** In which part the payloads of each child are, and how many bytes they have. */
export class PayloadLocations {
  readonly #parts: PartLocation[] = [];
  /** By position: the index of the part, and the number of bytes. */
  readonly #children: Readonly<Record<PackedKind, Map<number, [part: number, bytes: number]>>> = {
    spans: new Map(),
    events: new Map(),
  };

  /** Takes the rows of `directoriesQuery`: of a child that is in several parts, the last one counts. */
  constructor(rows: CopiedRow[]) {
    for (const [part, directory] of rows) {
      const index = this.#parts.length;
      const contentBytes = visitDirectory(directory ?? Buffer.alloc(0), (kind, position, bytes) =>
        this.#children[kind].set(position, [index, bytes]),
      );
      this.#parts.push({ part: part?.readInt32BE() ?? 0, contentBytes });
    }
  }

  find(kind: PackedKind, position: number): PayloadLocation | undefined {
    const [index, payloadBytes] = this.#children[kind].get(position) ?? [];
    const part = index === undefined ? undefined : this.#parts[index];
    return part && { ...part, payloadBytes: payloadBytes ?? 0 };
  }
}

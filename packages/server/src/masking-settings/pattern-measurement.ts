import type { CompiledMasking } from "../masking/compiled-masking.ts";
import type { CompiledRule } from "../masking/compiled-rule.ts";
import { TextNotChecked } from "../masking/find/text-not-checked.ts";
import { findMatches } from "../masking/find-matches.ts";
import type { StoredRecord } from "./newest-records.ts";
import { SAMPLE_RECORDS } from "./sample-records.ts";
import { walkRecord } from "./walk-record.ts";

const MIB = 1_048_576;
/** Texts are matched in pieces of this length, so that other requests wait for one piece at most. */
const PIECE_LENGTH = 4_096;
/** A pause of the machine makes a round longer, and hardly ever all rounds of one piece. */
const ROUNDS = 3;
/** Before the first measured round: code that runs for the first time is slow. */
const WARM_UP_PIECES = 16;
/** A pattern that is much too slow is known to be so after a part of the texts. */
const MAX_MS = 2_000;

type MeasuredRecord = Pick<StoredRecord, "kind" | "bytes" | "value">;

/** Texts in which patterns are matched, together about as long as a piece. */
interface Piece {
  length: number;
  texts: { text: string; rules: readonly CompiledRule[] }[];
}

/**
 * Measures what own patterns cost on 1 MiB of traces: only where a pattern's source is, and relative to all bytes. If fewer bytes are
 * added, a text of our own stands for the rest: a workspace that has stored nothing yet is told of slow patterns, too, and the
 * time of a few short texts would say nothing.
 */
export class PatternMeasurement {
  readonly #masking: CompiledMasking;
  readonly #pieces: Piece[] = [];
  #bytes = 0;

  constructor(masking: CompiledMasking) {
    this.#masking = masking;
  }

  get isFull(): boolean {
    return this.#bytes >= MIB;
  }

  /** Adds a record of a trace that is so many bytes long as JSON. Yields where the caller may pause. */
  *add({ bytes, ...record }: MeasuredRecord): Generator<undefined> {
    const addText = (text: string, rules: readonly CompiledRule[]) => this.#addText(text, rules);
    yield* walkRecord(record, this.#masking, {
      text: addText,
      key(key, rules) {
        addText(key, rules);
        return "";
      },
      whole: () => undefined,
      long: (_text, _scope, _place, walk) => walk(),
    });
    this.#bytes += bytes;
  }

  /** Returns milliseconds for 1 MiB; yields where the caller may pause. */
  *run(): Generator<undefined, number> {
    while (!this.isFull) for (const record of SAMPLE_RECORDS) yield* this.add(record);
    for (const piece of this.#pieces.slice(0, WARM_UP_PIECES)) {
      timeOf(piece);
      yield;
    }
    const startedAt = performance.now();
    let [ms, measured, total] = [0, 0, 0];
    for (const { length } of this.#pieces) total += length;
    for (const piece of this.#pieces) {
      let shortest = Number.POSITIVE_INFINITY;
      for (let round = 0; round < ROUNDS; round += 1) {
        shortest = Math.min(shortest, timeOf(piece));
        yield;
      }
      ms += shortest;
      measured += piece.length;
      if (performance.now() - startedAt > MAX_MS) break;
    }
    const all = measured === 0 ? 0 : (ms * total) / measured;
    return Math.round((10 * all * MIB) / this.#bytes) / 10;
  }

  #addText(text: string, rules: readonly CompiledRule[]) {
    const patterns = rules.filter(({ budget }) => budget);
    if (patterns.length === 0) return;
    for (let start = 0; start < text.length; start += PIECE_LENGTH) {
      const part = text.slice(start, start + PIECE_LENGTH);
      let piece = this.#pieces.at(-1);
      if (!piece || piece.length + part.length > PIECE_LENGTH) {
        piece = { length: 0, texts: [] };
        this.#pieces.push(piece);
      }
      piece.texts.push({ text: part, rules: patterns });
      piece.length += part.length;
    }
  }
}

function timeOf({ texts }: Piece): number {
  const startedAt = performance.now();
  try {
    for (const { text, rules } of texts) {
      rules[0]?.budget?.refill();
      findMatches(text, rules);
    }
  } catch (error) {
    // They take much more than they may, which is what is to be known.
    if (!(error instanceof TextNotChecked)) throw error;
  }
  return performance.now() - startedAt;
}

import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { Masker, type MaskerOptions } from "../../masking/masker.ts";
import type { Maskings } from "../../masking/maskings.ts";
import { requireMaskingVersion } from "../../trace-store/masking/require-masking-version.ts";

/** Masks what is written on issues. */
export class WrittenWords {
  /** Whether there was something to mask. */
  isUsed = false;
  readonly #masker: Masker;

  constructor(masking: CompiledMasking, options?: MaskerOptions) {
    this.#masker = new Masker(masking, options);
  }

  /** A comment or a note. */
  text<Given extends string | null | undefined>(text: Given): Given | string {
    return this.#masked(text, (given) => this.#masker.text(given, "comments"));
  }

  /** The name of a release, which is compared with those in tags of runs. */
  release<Given extends string | null | undefined>(name: Given): Given | string {
    return this.#masked(name, (given) => this.#masker.identifier(given, "tags"));
  }

  #masked<Given extends string | null | undefined>(given: Given, mask: (text: string) => string) {
    if (!given) return given;
    this.isUsed = true;
    return mask(given);
  }
}

/** Runs `work` in a transaction that stores what it masks by the rules in force alone. */
export const storeWords = <T>(
  { maskings, writes }: { maskings: Maskings; writes: FairDatabase },
  workspaceId: WorkspaceId,
  work: (trx: Database, words: WrittenWords) => Promise<T>,
): Promise<T> =>
  maskings.apply(workspaceId, (masking) =>
    writes.transaction(workspaceId, async (_client, trx) => {
      const words = new WrittenWords(masking);
      const stored = await work(trx, words);
      if (words.isUsed) await requireMaskingVersion(trx, workspaceId, masking.version);
      return stored;
    }),
  );

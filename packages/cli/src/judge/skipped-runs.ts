import { join } from "node:path";
import { isRecord } from "../api.ts";
import { readPrivateJson, writePrivateJson } from "../private-file.ts";

/**
 * The runs that a judge skipped, by the name of its scores. The server does not know them: without this file they would come again
 * each time.
 */
export class SkippedRuns {
  readonly #path: string;
  readonly #name: string;
  readonly #reasons: Map<string, string>;
  /** Writes wait for each other, so that an older state never replaces a newer one. */
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, name: string, reasons: Map<string, string>) {
    this.#path = path;
    this.#name = name;
    this.#reasons = reasons;
  }

  static async open(folder: string, hash: string, name: string): Promise<SkippedRuns> {
    const path = join(folder, ".whytrace", `judge-${hash}.json`);
    const { [name]: own } = await readPrivateJson(path);
    const reasons = isRecord(own) ? Object.entries(own) : [];
    return new SkippedRuns(path, name, new Map(reasons.map(([id, reason]) => [id, String(reason)])));
  }

  get size(): number {
    return this.#reasons.size;
  }

  has = (traceId: string) => this.#reasons.has(traceId);

  add(traceId: string, reason: string): Promise<void> {
    this.#reasons.set(traceId, reason);
    this.#written = this.#written.then(async () => {
      const others = await readPrivateJson(this.#path);
      await writePrivateJson(this.#path, { ...others, [this.#name]: Object.fromEntries(this.#reasons) });
    });
    return this.#written;
  }
}

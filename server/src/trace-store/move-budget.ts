/** A transaction takes about twice as long. Requests that meet it wait so much longer at worst. */
const MAX_MS = 10;
/** Payloads that are held in memory. A single trace may have more: as much as a request. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How much one transaction moves, at least one trace. */
export class MoveBudget {
  readonly #startedAt = performance.now();
  #bytes = 0;

  add(payloads: (Uint8Array | null)[]) {
    for (const payload of payloads) this.#bytes += payload?.length ?? 0;
  }

  get isSpent(): boolean {
    return this.#bytes >= MAX_BYTES || performance.now() - this.#startedAt >= MAX_MS;
  }
}

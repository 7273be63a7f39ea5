import type { MaskingField, MaskingMethod } from "@whytrace/contract/schemas/masking/settings";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { RuleName } from "./find/text-not-checked.ts";

/** A value that could not be checked, or rules that could not be applied. It never has content. */
export interface MaskingFailure {
  /** The name of the error: its message may quote values. */
  error: string;
  /** Set if rules could not be applied. */
  workspaceId?: WorkspaceId | undefined;
  /** Set if a value could not be checked. */
  traceId?: string | undefined;
  field?: MaskingField | undefined;
  /** The rule that kept the value from being checked. */
  rule?: RuleName | undefined;
}

/** What a thread reports to the one that has the metrics. */
export interface MaskingReport {
  /** By type and method, with a blank between. */
  values: ReadonlyMap<string, number>;
  ms: number;
  failures: number;
  /** The first ones of them. */
  described: readonly MaskingFailure[];
}

const MAX_DESCRIBED = 20;

/** Counts what masking does in this thread, for metrics. */
export class MaskingTally {
  readonly #onFailure: ((failure: MaskingFailure) => void) | undefined;
  #values = new Map<string, number>();
  #ms = 0;
  #failures = 0;
  #described: MaskingFailure[] = [];

  /** `onFailure` is called with failures of this thread and with those that others describe. Without it, `take` describes them. */
  constructor(onFailure?: (failure: MaskingFailure) => void) {
    this.#onFailure = onFailure;
  }

  get seconds(): number {
    return this.#ms / 1_000;
  }

  get failures(): number {
    return this.#failures;
  }

  *values(): Generator<{ type: string; method: string; count: number }> {
    for (const [key, count] of this.#values) {
      const [type = "", method = ""] = key.split(" ");
      yield { type, method, count };
    }
  }

  countValue(type: string, method: MaskingMethod) {
    this.#addValues(`${type} ${method}`, 1);
  }

  fail(failure: MaskingFailure) {
    this.#failures += 1;
    if (this.#onFailure) this.#onFailure(failure);
    else if (this.#described.length < MAX_DESCRIBED) this.#described.push(failure);
  }

  /** Adds the time that `mask` takes. */
  time<T>(mask: () => T): T {
    const startedAt = performance.now();
    try {
      return mask();
    } finally {
      this.#ms += performance.now() - startedAt;
    }
  }

  /** Adds the time that each step takes, without the pauses between them. */
  *timeSteps<T>(steps: Generator<undefined, T>): Generator<undefined, T> {
    for (;;) {
      const { done, value } = this.time(() => steps.next());
      if (done) return value;
      yield;
    }
  }

  /** Adds what another thread counted. */
  add({ values, ms, failures, described }: MaskingReport) {
    for (const [key, count] of values) this.#addValues(key, count);
    this.#ms += ms;
    this.#failures += failures;
    for (const failure of described) this.#onFailure?.(failure);
  }

  /** What was counted since the last call. */
  take(): MaskingReport {
    const report = {
      values: this.#values,
      ms: this.#ms,
      failures: this.#failures,
      described: this.#described,
    };
    this.#values = new Map();
    this.#ms = 0;
    this.#failures = 0;
    this.#described = [];
    return report;
  }

  #addValues(key: string, count: number) {
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }
}

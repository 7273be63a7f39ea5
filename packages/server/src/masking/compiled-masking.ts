import type { MaskingField, MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledRule } from "./compiled-rule.ts";
import { MaskingTally } from "./masking-tally.ts";
import { Scope } from "./scope.ts";

/** Level and rules of a workspace, ready to be applied. */
export class CompiledMasking {
  readonly version: number;
  readonly level: MaskingLevel;
  /** The key of the workspace's tokens. */
  readonly key: Uint8Array;
  /** Counts what is masked by it. */
  readonly tally: MaskingTally;
  readonly #rules: readonly CompiledRule[];
  readonly #scopes = new Map<MaskingField, Scope>();

  constructor(
    {
      version,
      level,
      key,
      tally = new MaskingTally(),
    }: { version: number; level: MaskingLevel; key: Uint8Array; tally?: MaskingTally | undefined },
    rules: readonly CompiledRule[],
  ) {
    this.version = version;
    this.level = level;
    this.key = key;
    this.tally = tally;
    this.#rules = rules;
  }

  /** Whether nothing is masked anywhere. */
  get isOff(): boolean {
    return this.#rules.length === 0;
  }

  get hasPatterns(): boolean {
    return this.#rules.some(({ budget }) => budget);
  }

  /** Gives own patterns all the time that they may take beyond what is in proportion to texts. */
  refillBudget() {
    // They share one.
    this.#rules.find(({ budget }) => budget)?.budget?.refill();
  }

  scopeOf(field: MaskingField): Scope {
    let scope = this.#scopes.get(field);
    if (!scope) {
      scope = Scope.of(field, this.#rules);
      this.#scopes.set(field, scope);
    }
    return scope;
  }
}

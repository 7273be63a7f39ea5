import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledRule } from "./compiled-rule.ts";
import { typeBits } from "./may-match.ts";
import { isAtEnd, startOfPath, takeStep } from "./source.ts";

/** How far a rule for a path has come. */
interface PendingRule {
  rule: CompiledRule;
  taken: number;
}

/** The rules that apply at one place of a field. It does not change; deeper places have other scopes, or the same one. */
export class Scope {
  /** Those that are matched in texts, in their order, after the exceptions from patterns. */
  readonly texts: readonly CompiledRule[];
  /** Those for values under certain names. */
  readonly names: readonly CompiledRule[];
  /** Those for every value here. */
  readonly wholes: readonly CompiledRule[];
  readonly card: CompiledRule | undefined;
  /** The built-in types among those for texts, and among all that apply here or may apply below, for `mayMatch`. */
  readonly textBits: number;
  readonly allBits: number;
  /** Whether the names of keys matter for where rules apply. */
  readonly hasPaths: boolean;
  /** Whether a text has to be decoded to know whether a rule matches. */
  readonly hasPattern: boolean;
  /** Whether nothing that can be found without walking over the value may apply here or below. */
  readonly isBuiltIn: boolean;
  /** Exceptions for some names. */
  readonly #keptNames: readonly CompiledRule[];
  readonly #active: readonly CompiledRule[];
  readonly #pending: readonly PendingRule[];
  readonly #ofRoles: readonly CompiledRule[];

  private constructor(
    active: readonly CompiledRule[],
    pending: readonly PendingRule[],
    ofRoles: readonly CompiledRule[],
  ) {
    this.#active = active;
    this.#pending = pending;
    this.#ofRoles = ofRoles;
    const exceptions = active.filter(({ method }) => method === "keep");
    const kept = new Set(exceptions.filter(({ isPartial }) => !isPartial).map(({ type }) => type));
    const rules = active
      .filter(({ method, type, isFloor }) => {
        if (method === "keep") return false;
        return isFloor || !(kept.has(type) || kept.has("anything"));
      })
      .sort((a, b) => a.rank - b.rank);
    const keptPatterns = rules.some(({ type }) => type === "pattern")
      ? exceptions.filter(({ type }) => type === "pattern")
      : [];
    this.texts = [...keptPatterns, ...rules.filter(({ find }) => find)];
    this.names = rules.filter(({ isNamed }) => isNamed);
    this.#keptNames = exceptions.filter(({ type, isPartial }) => type === "key" && isPartial);
    this.wholes = rules.filter(({ type }) => type === "anything");
    this.card = rules.find(({ type }) => type === "card");
    this.hasPattern = rules.some(({ budget }) => budget);
    this.textBits = typeBits(this.texts.map(({ type }) => type));
    this.allBits = typeBits(this.rules.map(({ type }) => type));
    this.hasPaths =
      pending.length > 0 || !this.names.every(({ isBuiltIn }) => isBuiltIn) || this.wholes.length > 0;
    this.isBuiltIn =
      active.every(({ isBuiltIn }) => isBuiltIn) &&
      pending.every(({ rule }) => rule.isBuiltIn) &&
      ofRoles.every(({ isBuiltIn }) => isBuiltIn);
  }

  /** The scope of a field's value. */
  static of(field: MaskingField, rules: readonly CompiledRule[]): Scope {
    const own = rules.filter(({ source }) => source.field === undefined || source.field === field);
    const paths = own.filter(({ source }) => source.path.length > 0);
    const active = own.filter(({ source }) => source.path.length === 0 && source.role === undefined);
    const ofRoles = own.filter(({ source }) => source.role !== undefined);
    const pending = paths.map((rule) => ({ rule, taken: startOfPath(rule.source.path) }));
    return Scope.#arrive(active, pending, ofRoles);
  }

  /** Whether any rule could match here or below. */
  get isEmpty(): boolean {
    return this.#active.length === 0 && this.#pending.length === 0 && this.#ofRoles.length === 0;
  }

  /** The first rule for every value here. */
  get whole(): CompiledRule | undefined {
    return this.wholes[0];
  }

  /** The first rule for values under this name. `text` is what the value is if it is a string. */
  named(name: string, text: () => string | undefined): CompiledRule | undefined {
    const isKept = this.#keptNames.some((exception) => exception.isNamed?.(name));
    return this.names.find(
      (rule) =>
        rule.isNamed?.(name) && (rule.isFloor || !isKept) && (!rule.isMasked || rule.isMasked(name, text)),
    );
  }

  get hasRoles(): boolean {
    return this.#ofRoles.length > 0;
  }

  /** All rules that apply here or may apply below. */
  get rules(): readonly CompiledRule[] {
    return [...this.#active, ...this.#pending.map(({ rule }) => rule), ...this.#ofRoles];
  }

  /** The scope of the value under a key or an index. The parts of a key with dots count as steps of their own. */
  below(key: string): Scope {
    if (this.#pending.length === 0) return this;
    return key.split(".").reduce<Scope>((scope, step) => scope.#step(step), this);
  }

  #step(step: string): Scope {
    if (this.#pending.length === 0) return this;
    const pending = this.#pending.map(({ rule, taken }) => ({
      rule,
      taken: takeStep(rule.source.path, taken, step),
    }));
    return Scope.#arrive(
      this.#active,
      pending.filter(({ taken }) => taken !== 0),
      this.#ofRoles,
    );
  }

  /** Whether a rule that does not apply to an array applies to one of its items. */
  hasRulesForItems(count: number): boolean {
    return this.#pending.some(({ rule, taken }) => {
      const { path } = rule.source;
      // A path names all items or one of them.
      return ["0", ...path].some(
        (item) => Number(item) < count && isAtEnd(path, takeStep(path, taken, item)),
      );
    });
  }

  /** The scope below an object with this role. */
  inRole(role: string): Scope {
    if (!this.#ofRoles.some(({ source }) => source.role === role)) return this;
    const isOfRole = ({ source }: CompiledRule) => source.role === role;
    return new Scope(
      [...this.#active, ...this.#ofRoles.filter(isOfRole)],
      this.#pending,
      this.#ofRoles.filter((rule) => !isOfRole(rule)),
    );
  }

  /** A rule that has come to the end of its path applies from there on. */
  static #arrive(
    active: readonly CompiledRule[],
    pending: readonly PendingRule[],
    ofRoles: readonly CompiledRule[],
  ): Scope {
    const isThere = ({ rule, taken }: PendingRule) => isAtEnd(rule.source.path, taken);
    const arrived = pending.filter(isThere).map(({ rule }) => rule);
    return new Scope(
      [...active, ...arrived],
      pending.filter((one) => !isThere(one)),
      ofRoles,
    );
  }
}

import type { PriceRule as ListedRule } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { modelNames } from "./model-names.ts";

/** What the price of a call follows from. */
type PriceRule = Omit<ListedRule, "createdBy">;

/** A workspace's price rules, in the order in which they apply. */
export class PriceRules {
  readonly #rules: readonly PriceRule[];

  constructor(rules: readonly PriceRule[]) {
    this.#rules = rules.toSorted(byPrecedence);
  }

  /** The rule for a model at a time; undefined if there is none. */
  find(model: string, atMs: number): PriceRule | undefined {
    if (this.#rules.length === 0) return undefined;
    const names = [...new Set(modelNames(model).map((name) => name.model))];
    return this.#rules.find((rule) => isValid(rule, atMs) && names.some((name) => matches(rule, name)));
  }
}

export const NO_RULES = new PriceRules([]);

const isPrefix = ({ model }: PriceRule) => model.endsWith("*");
const matches = (rule: PriceRule, name: string) =>
  isPrefix(rule) ? name.startsWith(rule.model.slice(0, -1)) : name === rule.model;
const isValid = ({ validFrom }: PriceRule, atMs: number) =>
  validFrom === null || Date.parse(validFrom) <= atMs;

/** Names come before prefixes, longer prefixes before shorter ones, later prices before earlier ones. */
function byPrecedence(a: PriceRule, b: PriceRule): number {
  return (
    Number(isPrefix(a)) - Number(isPrefix(b)) ||
    b.model.length - a.model.length ||
    (a.model < b.model ? -1 : Number(a.model > b.model)) ||
    startOf(b) - startOf(a)
  );
}

const startOf = ({ validFrom }: PriceRule) => (validFrom === null ? -8.64e15 : Date.parse(validFrom));

/** Reads the rules of several workspaces, in the caller's transaction. */
export async function readPriceRules(
  db: Database,
  workspaceIds: WorkspaceId[],
): Promise<Map<string, PriceRules>> {
  const { rows } = await sql<PriceRule & { workspaceId: WorkspaceId }>`/* prepared */
    select workspace_id, id, model, input_usd, output_usd, cache_read_usd, cache_write_usd, valid_from
    from price_rules where workspace_id = any(${textList(workspaceIds)}::uuid[])`.execute(db);
  const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId);
  return new Map([...byWorkspace].map(([workspaceId, rules]) => [workspaceId, new PriceRules(rules)]));
}

import type { ToolCall } from "../map/span-facts.ts";
import type { LoggedCall } from "./combine-logs.ts";
import type { SpanNode } from "./span-forest.ts";

/** Tools that a model could call. */
export interface ToolOffer {
  names: ReadonlySet<string>;
  /** The length of all names as JSON, so that many short ones count, too. */
  characters: number;
}

const NAME_JSON_LENGTH = '{"name":""},'.length;

const offerOf = (names: string[]): ToolOffer => ({
  names: new Set(names),
  characters: names.reduce((sum, name) => sum + name.length + NAME_JSON_LENGTH, 0),
});

/** What could be called in each span of a trace. */
export class ToolOffers {
  readonly #logs: ReadonlyMap<string, LoggedCall>;
  readonly #inherited = new Map<SpanNode, ToolOffer>();

  constructor(childrenFirst: readonly SpanNode[], logs: ReadonlyMap<string, LoggedCall>) {
    this.#logs = logs;
    const own = new Map<SpanNode, ToolOffer>();
    for (const node of childrenFirst.toReversed()) {
      const { parent, children } = node;
      const offered = this.#ownOffer(node);
      if (offered && children.length > 0) own.set(node, offerOf(offered));
      // What an agent offers ends where a tool runs: another agent may work in there.
      if (!parent || parent.facts.type === "TOOL_CALL") continue;
      const offer = own.get(parent) ?? this.#inherited.get(parent);
      if (offer) this.#inherited.set(node, offer);
    }
  }

  /** What was offered to the caller, by its own span or by the nearest one above; undefined if nobody says it. */
  find(node: SpanNode, calls: ToolCall[]): ToolOffer | undefined {
    const own = this.#ownOffer(node);
    if (own) return offerOf(own);
    const inherited = this.#inherited.get(node);
    // An agent above that does not offer what was called is another one than the caller.
    return inherited && calls.every(({ name }) => inherited.names.has(name)) ? inherited : undefined;
  }

  #ownOffer({ facts }: SpanNode): string[] | undefined {
    return facts.offered ?? this.#logs.get(facts.id)?.offered;
  }
}

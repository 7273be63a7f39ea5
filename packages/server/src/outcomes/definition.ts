import type { Condition } from "@whytrace/contract/schemas/outcomes";
import { agentHash } from "../decision-facts/agent-hash.ts";

/** What counts as bad: a run is bad if any condition is true. */
export interface Definition {
  /** The masked name of the agent; null for the definition of all agents without one of their own. */
  agent: string | null;
  /** 0: built in. */
  version: number;
  bad: readonly Condition[];
}

export const BUILT_IN: Definition = {
  agent: null,
  version: 0,
  bad: [{ kind: "status", is: "ERROR" }, { kind: "feedback" }, { kind: "evaluator" }],
};

/** The definitions of a workspace that are in force. */
export class Definitions {
  readonly #default: Definition;
  readonly #ofAgents: ReadonlyMap<number, Definition>;

  constructor(
    workspaceDefinition: Definition = BUILT_IN,
    ofAgents: ReadonlyMap<number, Definition> = new Map(),
  ) {
    this.#default = workspaceDefinition;
    this.#ofAgents = ofAgents;
  }

  /** The one for traces of this name. */
  of(traceName: string): Definition {
    return this.#ofAgents.size === 0 ? this.#default : this.ofAgent(agentHash(traceName));
  }

  /** The one for traces of this agent. */
  ofAgent(hash: number): Definition {
    return this.#ofAgents.get(hash) ?? this.#default;
  }

  /** What is stored with runs that are judged by them: `definitionNumber` by agent, and for all other agents. */
  get numbers(): { agentHashes: number[]; ofAgents: number[]; ofOthers: number } {
    return {
      agentHashes: this.agentHashes,
      ofAgents: [...this.#ofAgents.values()].map(definitionNumber),
      ofOthers: definitionNumber(this.#default),
    };
  }

  /** All of them; an agent's own with its hash. */
  *[Symbol.iterator](): Generator<{ agentHash?: number; definition: Definition }> {
    yield { definition: this.#default };
    for (const [hash, definition] of this.#ofAgents) yield { agentHash: hash, definition };
  }

  /** The agents that have one of their own. */
  get agentHashes(): number[] {
    return [...this.#ofAgents.keys()];
  }

  /** Whether all runs are judged by what is built in. */
  get isBuiltIn(): boolean {
    return this.#ofAgents.size === 0 && this.#default.version === 0;
  }
}

export const BUILT_IN_DEFINITIONS = new Definitions();

/**
 * The number that is stored with a run: 0 for what is built in, the version of the workspace's definition, or that of the agent's
 * own as a negative number.
 */
export const definitionNumber = ({ agent, version }: Pick<Definition, "agent" | "version">): number =>
  agent === null ? version : -version;

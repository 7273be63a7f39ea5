import type { DecisionPointType } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import type { Regime } from "./regimes.ts";

/** A place in the agent's code that decides something. */
export interface Site {
  id: number;
  type: DecisionPointType;
  options: string[];
  weights: number[];
  /** Hard requests fail more often anyway. At some sites they are decided otherwise, so that harmless options look bad. */
  hardWeights: number[];
  /** Steps of work after the decision. */
  steps: number;
}

/** A part of a run: its sites one after another in the agent's own span or in one of their own, or in parallel branches. */
export interface Block {
  kind: "inline" | "chain" | "subagent" | "parallel";
  branches: Site[][];
  repeat: number;
  /** The block runs only if this option was chosen before. */
  when: { site: number; option: string } | null;
}

/** An option that makes later steps fail. */
interface Fault {
  site: number;
  option: string;
  probability: number;
  message: string;
}

/** Errors that come by themselves. Some faults have the same messages. */
export const COMMON_MESSAGES = [
  "request timed out",
  "upstream answered 503",
  "rate limited",
  "invalid JSON",
] as const;

const TYPES = ["TOOL_SELECTION", "TOOL_SELECTION", "ROUTING", "PLANNING", "MEMORY_RETRIEVAL"] as const;
const FAULTS = 3;
const MAX_TRIES = 200;
/** A faulty option is one of several: neither hardly ever chosen nor the usual one. */
const MIN_FAULT_SHARE = 0.06;
const MAX_FAULT_SHARE = 0.45;

/** An agent with faults that are known: which option of which decision makes steps fail. The seed determines it. */
export class SimulatedAgent {
  readonly name: string;
  readonly regime: Regime;
  readonly blocks: Block[] = [];
  readonly faults: Fault[] = [];
  readonly #sites: Site[] = [];

  constructor(seed: number, regime: Regime) {
    this.name = `simulated agent ${letters(seed)}`;
    this.regime = regime;
    const random = new Random(seed);
    const count = random.between(4, 6);
    for (let block = 0; block < count; block++) this.blocks.push(this.#newBlock(random));
    for (let tries = 0; this.faults.length < FAULTS && tries < MAX_TRIES; tries++) this.#plantFault(random);
  }

  faultOf(site: Site, option: string): Fault | undefined {
    return this.faults.find((fault) => fault.site === site.id && fault.option === option);
  }

  #newBlock(random: Random): Block {
    const kind = random.weighted<Block["kind"]>([
      ["inline", 3],
      ["chain", 3],
      ["subagent", 2],
      ["parallel", 2],
    ]);
    const routers = this.#sites.filter((site) => site.type === "ROUTING");
    const branches =
      kind === "parallel"
        ? repeat(random.between(2, 3), () => [this.#newSite(random)])
        : [
            repeat(kind === "subagent" ? random.between(2, 3) : random.between(1, 2), () =>
              this.#newSite(random),
            ),
          ];
    const router = random.chance(0.35) ? routers[random.between(0, routers.length - 1)] : undefined;
    const option = router?.options[0];
    return {
      kind,
      branches,
      repeat: kind !== "parallel" && random.chance(0.2) ? random.between(2, 3) : 1,
      when: router && option !== undefined ? { site: router.id, option } : null,
    };
  }

  #newSite(random: Random): Site {
    const id = this.#sites.length;
    const options = repeat(random.between(2, 5), (index) => `option ${letters(index)} of ${letters(id)}`);
    const weights = options.map(() => 0.15 + random.next());
    const site: Site = {
      id,
      type: random.pick(TYPES),
      options,
      weights,
      hardWeights: random.chance(0.4)
        ? weights.map((weight) => weight * (random.chance(0.5) ? 3 : 0.5))
        : weights,
      steps: random.between(1, 3),
    };
    this.#sites.push(site);
    return site;
  }

  #plantFault(random: Random) {
    const site = this.#sites[random.between(0, this.#sites.length - 1)];
    if (!site || this.faults.some((fault) => fault.site === site.id)) return;
    const total = site.weights.reduce((sum, weight) => sum + weight, 0);
    const candidates = site.options.filter((_, index) => {
      const share = (site.weights[index] ?? 0) / total;
      return share > MIN_FAULT_SHARE && share < MAX_FAULT_SHARE;
    });
    const option = candidates[random.between(0, candidates.length - 1)];
    if (option === undefined) return;
    const { minProbability, maxProbability } = this.regime;
    this.faults.push({
      site: site.id,
      option,
      probability: minProbability + random.next() * (maxProbability - minProbability),
      message: random.chance(0.7) ? `fault of ${letters(site.id)}` : random.pick(COMMON_MESSAGES),
    });
  }
}

const repeat = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));

/** 0 is "a", 25 is "z", 26 is "ba": names without digits, which would be masked. */
function letters(number: number): string {
  const rest = number >= 26 ? letters(Math.floor(number / 26)) : "";
  return rest + String.fromCharCode(97 + (number % 26));
}

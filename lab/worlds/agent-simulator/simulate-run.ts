import type { Random } from "@whytrace/demo";
import {
  RunRecorder,
  type SimulatedDecision,
  type SimulatedEvent,
  type SimulatedSpan,
} from "./run-recorder.ts";
import { type Block, COMMON_MESSAGES, type SimulatedAgent, type Site } from "./simulated-agent.ts";

export interface SimulatedRun {
  status: "COMPLETED" | "ERROR";
  startedAt: number;
  endedAt: number;
  totalDuration: number;
  spans: SimulatedSpan[];
  decisionPoints: SimulatedDecision[];
  events: SimulatedEvent[];
  /** Of a failed run: the step it failed with, and the decision that made it fail; null if it failed by itself. */
  failure: { spanId: string; culpritId: string | null } | null;
}

export const simulateRun = (agent: SimulatedAgent, random: Random): SimulatedRun =>
  new RunSimulation(agent, random).run();

/** An error that a decision has made certain, but that has not come yet. */
interface PendingError {
  culpritId: string;
  message: string;
  /** Comes in this step, or in the first step of `branch` after `afterMs`. */
  dueStep: number;
  branch: number | null;
  afterMs: number;
}

class RunSimulation {
  readonly #agent: SimulatedAgent;
  readonly #random: Random;
  readonly #recorder: RunRecorder;
  readonly #isHard: boolean;
  readonly #chosenAt = new Map<number, string>();
  #pending: PendingError[] = [];
  #steps = 0;
  #branch: number | null = null;
  #branches = 0;
  #failure: SimulatedRun["failure"] = null;

  constructor(agent: SimulatedAgent, random: Random) {
    this.#agent = agent;
    this.#random = random;
    this.#recorder = new RunRecorder(random);
    this.#isHard = random.chance(0.3);
  }

  run(): SimulatedRun {
    const recorder = this.#recorder;
    const root = recorder.openSpan("AGENT", "agent", null);
    for (const block of this.#agent.blocks)
      for (let round = 0; round < block.repeat && !this.#failure && this.#isReached(block); round++)
        this.#runBlock(block, root);
    while (!this.#failure && this.#pending.length > 0) this.#work("finish", root, true);
    if (this.#failure && this.#random.chance(0.8)) root.status = "ERROR";
    recorder.closeSpan(root);
    return {
      status: this.#failure ? "ERROR" : "COMPLETED",
      startedAt: 0,
      endedAt: recorder.nowMs,
      totalDuration: recorder.nowMs,
      spans: recorder.spans,
      decisionPoints: recorder.decisions,
      events: recorder.events,
      failure: this.#failure,
    };
  }

  #isReached({ when }: Block): boolean {
    return when === null || this.#chosenAt.get(when.site) === when.option;
  }

  #runBlock(block: Block, root: SimulatedSpan) {
    if (block.kind === "parallel") return this.#runBranches(block, root);
    const sites = block.branches[0] ?? [];
    if (block.kind === "inline") {
      for (const site of sites) if (!this.#failure) this.#visit(site, root);
      return;
    }
    this.#within(`${block.kind} ${sites[0]?.id}`, root, (scope) => {
      for (const site of sites) {
        if (this.#failure) break;
        if (block.kind === "subagent" && this.#random.chance(0.5))
          this.#within(`inner ${site.id}`, scope, (inner) => this.#visit(site, inner));
        else this.#visit(site, scope);
      }
    });
  }

  #runBranches({ branches }: Block, root: SimulatedSpan) {
    const recorder = this.#recorder;
    const startMs = recorder.nowMs;
    let endMs = startMs;
    const numbers = branches.map(() => this.#branches++);
    let failure: SimulatedRun["failure"] = null;
    for (const [index, sites] of branches.entries()) {
      recorder.nowMs = startMs + index;
      this.#branch = numbers[index] ?? null;
      this.#within(`branch ${sites[0]?.id}`, root, (scope) => {
        for (const site of sites) if (!this.#failure) this.#visit(site, scope, numbers.slice(index + 1));
      });
      endMs = Math.max(endMs, recorder.nowMs);
      // A branch that fails does not stop those beside it; the last failure is the run's.
      failure = this.#failure ?? failure;
      this.#failure = null;
    }
    this.#failure = failure;
    this.#branch = null;
    recorder.nowMs = endMs;
    // What should have come in a branch that ended before comes in the next step.
    for (const error of this.#pending)
      if (error.branch !== null) Object.assign(error, { branch: null, dueStep: this.#steps + 1 });
  }

  #within(name: string, parent: SimulatedSpan, body: (scope: SimulatedSpan) => void) {
    const scope = this.#recorder.openSpan("CHAIN", name, parent);
    body(scope);
    if (this.#failure && this.#random.chance(0.7)) scope.status = "ERROR";
    this.#recorder.closeSpan(scope);
  }

  #visit(site: Site, parent: SimulatedSpan, laterBranches: number[] = []) {
    const random = this.#random;
    const weights = this.#isHard ? site.hardWeights : site.weights;
    const chosen = random.weighted(
      site.options.map((option, index) => [option, weights[index] ?? 0] as const),
    );
    this.#chosenAt.set(site.id, chosen);
    const fault = this.#agent.faultOf(site, chosen);
    const isFatal = fault !== undefined && random.chance(fault.probability);
    const decision = this.#recorder.decide(site.type, site.options, chosen, parent, {
      plan: random.pick(["free", "team", "business"]),
      records: random.chance(isFatal ? 0.9 : 0.05) ? "outdated" : "current",
    });
    if (fault && isFatal) this.#makeCertain(decision.id, fault.message, laterBranches);
    for (let step = 0; step < site.steps && !this.#failure; step++)
      this.#work(step === 0 && site.type === "TOOL_SELECTION" ? chosen : `work ${site.id}.${step}`, parent);
  }

  #makeCertain(culpritId: string, message: string, laterBranches: number[]) {
    const { atOnce, later, inOtherBranch, maxDelaySteps } = this.#agent.regime;
    const random = this.#random;
    const draw = random.next() * (atOnce + later + inOtherBranch);
    const [first, ...rest] = laterBranches;
    const error: PendingError = {
      culpritId,
      message,
      dueStep: this.#steps + 1,
      branch: null,
      afterMs: this.#recorder.nowMs,
    };
    if (draw >= atOnce + later && first !== undefined) {
      error.dueStep = Number.POSITIVE_INFINITY;
      error.branch = random.pick([first, ...rest]);
    } else if (draw >= atOnce) error.dueStep += random.between(1, maxDelaySteps);
    this.#pending.push(error);
  }

  /** One step of work. If it fails, the agent may try again, give up or go on without it. */
  #work(name: string, parent: SimulatedSpan, isLast = false) {
    const random = this.#random;
    this.#steps += 1;
    const due = this.#takeDue(isLast);
    const isNoise = random.chance(this.#agent.regime.noise * (this.#isHard ? 3 : 1));
    const message = due?.message ?? (isNoise ? random.pick(COMMON_MESSAGES) : null);
    const span = this.#recorder.step(name, parent, message);
    if (message === null) return;
    const culpritId = due?.culpritId ?? null;
    if (!random.chance(0.45)) {
      if (random.chance(0.6)) this.#failure = { spanId: span.id, culpritId };
      return;
    }
    const reaction = random.chance(0.8) ? "retry" : "give up";
    this.#recorder.decide("RETRY", ["give up", "retry"], reaction, parent);
    if (reaction === "give up") {
      this.#failure = { spanId: span.id, culpritId };
      return;
    }
    const failsAgain = random.chance(due ? 0.7 : 0.2);
    const second = this.#recorder.step(name, parent, failsAgain ? message : null);
    if (failsAgain) this.#failure = { spanId: second.id, culpritId };
  }

  #takeDue(isLast: boolean): PendingError | undefined {
    const index = this.#pending.findIndex(
      ({ branch, dueStep, afterMs }) =>
        isLast ||
        (branch === null
          ? dueStep <= this.#steps
          : branch === this.#branch && this.#recorder.nowMs >= afterMs),
    );
    return index < 0 ? undefined : this.#pending.splice(index, 1)[0];
  }
}

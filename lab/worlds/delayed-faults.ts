import { Habit, TOOLS } from "./habit.ts";
import { OUTAGE, RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

const CHANCE_PER_CALL = 0.008;

/** A tool breaks the call that comes `from` to `to` turns later, whatever tool that is. */
function delayedFault(random: WorldRandom, from: number, to: number): WorldAgent {
  const habit = new Habit(random);
  const guilty = random.oneOf(TOOLS);
  const strikes = random.uniform(0.15, 0.5);
  const isOneMessage = random.chance(0.5);
  return {
    tools: TOOLS,
    guilty: [`chose ${guilty}`],
    run() {
      const run = new RunRecorder(random);
      const turns = habit.turns();
      let tool: string | undefined;
      let due = Number.POSITIVE_INFINITY;
      let culprit = -1;
      for (let turn = 0; turn < turns || culprit >= 0; turn += 1) {
        tool = habit.after(tool);
        if (culprit < 0 && tool === guilty && random.chance(strikes)) {
          culprit = turn;
          due = turn + random.between(from, to);
        }
        if (turn >= due) {
          run.call(tool, isOneMessage ? "order id does not exist" : `${tool}: invalid argument`);
          return run.end("ERROR", { culprits: [culprit] });
        }
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

function twoTogether(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const first = random.oneOf(TOOLS.slice(0, 3));
  const second = random.oneOf(TOOLS.slice(3));
  return {
    tools: TOOLS,
    guilty: [`chose ${first}`, `chose ${second}`],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      let before = -1;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        tool = habit.after(tool);
        if (tool === second && before >= 0 && random.chance(0.35)) {
          run.call(tool, "conflict: record changed");
          return run.end("ERROR", { culprits: [before, run.lastTurn] });
        }
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR");
        if (tool === first && before < 0) before = run.lastTurn;
      }
      return run.end("COMPLETED");
    },
  };
}

function parallelCalls(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const guilty = random.oneOf(TOOLS);
  return {
    tools: TOOLS,
    guilty: [`chose ${guilty}`],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      let due = Number.POSITIVE_INFINITY;
      let culprit = -1;
      const length = habit.turns();
      for (let turn = 0; turn < length || culprit >= 0; turn += 1) {
        tool = habit.after(tool);
        const tools = new Set<string>([tool]);
        for (let more = random.between(0, 2); more > 0; more -= 1) tools.add(random.oneOf(TOOLS));
        if (culprit < 0 && tools.has(guilty) && random.chance(0.3)) {
          culprit = turn;
          due = turn + random.between(0, 3);
        }
        const broken = turn >= due ? random.oneOf([...tools]) : null;
        const unlucky = random.chance(CHANCE_PER_CALL) ? tool : null;
        run.callAll(
          [...tools].map((one) => ({
            tool: one,
            error: one === broken ? "order id does not exist" : one === unlucky ? OUTAGE : null,
          })),
        );
        if (broken !== null) return run.end("ERROR", { culprits: [culprit] });
        if (unlucky !== null) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

function eightyTools(random: WorldRandom): WorldAgent {
  const tools = Array.from(
    { length: 80 },
    (_, index) => `tool_${String.fromCharCode(97 + (index % 26), 97 + index / 26)}`,
  );
  const weighted = tools.map((tool, index) => [tool, 1 / (index + 2)] as const);
  const guilty = random.oneOf(tools.slice(0, 10));
  return {
    tools,
    guilty: [`chose ${guilty}`],
    run() {
      const run = new RunRecorder(random);
      let due = Number.POSITIVE_INFINITY;
      let culprit = -1;
      const length = random.between(4, 10);
      for (let turn = 0; turn < length || culprit >= 0; turn += 1) {
        const tool = random.weighted(weighted);
        if (culprit < 0 && tool === guilty && random.chance(0.3)) {
          culprit = turn;
          due = turn + random.between(0, 2);
        }
        if (turn >= due) {
          run.call(tool, `${tool}: invalid argument`);
          return run.end("ERROR", { culprits: [culprit] });
        }
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

/** A tool does harm, and another call shows it later. */
export const DELAYED_FAULTS: World[] = [
  {
    name: "near culprit",
    plants: "a tool makes a call fail 0-3 turns later (15-50 %)",
    draw: (random) => delayedFault(random, 0, 3),
  },
  {
    name: "far culprit",
    plants: "a tool makes a call fail 6-12 turns later (15-50 %)",
    draw: (random) => delayedFault(random, 6, 12),
  },
  {
    name: "two together",
    plants: "a tool fails (35 %) only if another one was called before",
    draw: twoTogether,
  },
  {
    name: "parallel calls",
    plants: "a turn makes 1-3 calls at once; a tool makes a call fail 0-3 turns later (30 %)",
    draw: parallelCalls,
  },
  {
    name: "80 tools",
    plants:
      "80 tools, a few of them common; one of the ten commonest makes a call fail 0-2 turns later (30 %)",
    draw: eightyTools,
  },
];

import { RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

const SCRIPTS = [
  ["read_mail", "extract_table", "match_order", "book", "archive"],
  ["list_open", "read_mail", "draft", "send"],
  ["create_account", "set_roles", "draft", "send", "schedule_call", "archive"],
];

function scripts(random: WorldRandom): WorldAgent {
  return {
    tools: [...new Set([...SCRIPTS.flat(), "think"])],
    guilty: ["chose extract_table"],
    run() {
      const run = new RunRecorder(random);
      for (const tool of random.oneOf(SCRIPTS)) {
        if (random.chance(0.2) && run.failsByChance("think", 0.01)) return run.end("ERROR");
        const isTable = tool === "extract_table";
        if (run.failsByChance(tool, isTable ? 0.15 : 0.01))
          return run.end("ERROR", { culprits: isTable ? [run.lastTurn] : [] });
      }
      return run.end("COMPLETED");
    },
  };
}

function outages(random: WorldRandom): WorldAgent {
  const tools = ["a_search", "b_read", "c_rank", "d_write"];
  let isOut = false;
  return {
    tools,
    guilty: [],
    run() {
      isOut = random.chance(isOut ? 0.75 : 0.016);
      const run = new RunRecorder(random);
      for (const tool of tools)
        for (let repeats = random.between(1, 3); repeats > 0; repeats -= 1) {
          let tries = 0;
          while (tries < 3 && run.failsByChance(tool, isOut ? 0.5 : 0.005)) tries += 1;
          if (tries === 3) return run.end("ERROR");
        }
      return run.end("COMPLETED");
    },
  };
}

function twoFaults(random: WorldRandom): WorldAgent {
  const tools = ["open", "translate", "check", "upload", "notify", "log"];
  return {
    tools,
    guilty: ["chose translate"],
    alsoTrue: ["chose upload"],
    run() {
      const run = new RunRecorder(random);
      let due = Number.POSITIVE_INFINITY;
      let culprit = -1;
      for (let turn = 0, length = random.between(6, 14); turn < length; turn += 1) {
        const tool = random.oneOf(tools);
        if (turn >= due) {
          run.call(tool, "encoding error");
          return run.end("ERROR", { culprits: [culprit] });
        }
        const isUpload = tool === "upload";
        if (run.failsByChance(tool, isUpload ? 0.05 : 0.006))
          return run.end("ERROR", { culprits: isUpload ? [run.lastTurn] : [] });
        if (culprit < 0 && tool === "translate" && random.chance(0.12)) {
          culprit = turn;
          due = turn + random.between(1, 5);
        }
      }
      return run.end("COMPLETED");
    },
  };
}

function longRuns(random: WorldRandom): WorldAgent {
  const tools = Array.from({ length: 12 }, (_, index) => `step_${String.fromCharCode(97 + index)}`);
  const guilty = random.oneOf(tools);
  const tastes = tools.map((_, index) => [index, 0.3 + random.next()] as const);
  return {
    tools,
    guilty: [`chose ${guilty}`],
    run() {
      const run = new RunRecorder(random);
      let due = Number.POSITIVE_INFINITY;
      let culprit = -1;
      let at = 0;
      for (let turn = 0, length = random.between(20, 60); turn < length; turn += 1) {
        at = random.chance(0.5) ? (at + 1) % tools.length : random.weighted(tastes);
        const tool = tools[at] ?? "";
        if (culprit < 0 && tool === guilty && random.chance(0.04)) {
          culprit = turn;
          due = turn + random.between(0, 8);
        }
        if (turn >= due) {
          run.call(tool, `${tool}: bad state`);
          return run.end("ERROR", { culprits: [culprit] });
        }
        if (run.failsByChance(tool, 0.0015)) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

/** No constant of a method was chosen on these. */
export const HELD_OUT: World[] = [
  {
    name: "held out: scripts",
    plants:
      "three kinds of tasks with tools in a fixed order, not recorded; `extract_table` fails by itself (15 %)",
    draw: scripts,
  },
  {
    name: "held out: outages",
    plants:
      "nothing: in short outages (6 % of the time) all calls fail (50 %); each is tried up to three times",
    draw: outages,
  },
  {
    name: "held out: two faults",
    plants: "`translate` breaks a call 1-5 turns later (12 %), and `upload` fails by itself (5 %)",
    draw: twoFaults,
  },
  {
    name: "held out: long runs",
    plants: "20-60 turns with 12 tools; one of them breaks a call 0-8 turns later (4 %)",
    draw: longRuns,
  },
];

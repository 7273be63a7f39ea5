import { Habit, TOOLS } from "./habit.ts";
import { OUTAGE, RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

/** Hard cases fail more often, and make the agent prefer `deep_search`, which is harmless. */
function hardCases(random: WorldRandom, isRecorded: boolean): WorldAgent {
  const habit = new Habit(random);
  return {
    tools: [...TOOLS, "deep_search"],
    guilty: [],
    run() {
      const run = new RunRecorder(random);
      const isHard = random.chance(0.25);
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        if (random.chance(isHard ? 0.35 : 0.04)) run.call("deep_search");
        else {
          tool = habit.after(tool);
          run.call(tool);
        }
      }
      const isFailed = random.chance(isHard ? 0.4 : 0.05);
      run.call("write_report", isFailed ? "answer failed validation" : null);
      return run.end(isFailed ? "ERROR" : "COMPLETED", {
        situation: isRecorded ? (isHard ? "hard" : "easy") : null,
      });
    },
  };
}

function fallback(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  return {
    tools: [...TOOLS, "fallback"],
    guilty: [],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        tool = habit.after(tool);
        if (!run.failsByChance(tool, 0.03)) continue;
        const isFailed = random.chance(0.7);
        run.call("fallback", isFailed ? OUTAGE : null);
        if (isFailed) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

function movingBaseRate(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const fashion = random.oneOf(TOOLS);
  const from = random.uniform(0.3, 0.7);
  return {
    tools: TOOLS,
    guilty: [],
    run(index, of) {
      const run = new RunRecorder(random);
      const isLate = index >= from * of;
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        tool = random.chance(isLate ? 0.4 : 0.05) ? fashion : habit.after(tool);
        if (run.failsByChance(tool, isLate ? 0.04 : 0.01)) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

function habitsOfUsers(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const user = { session: 0, runs: 0, favourite: "search", liking: 0, luck: 0 };
  const newUser = () => {
    user.session += 1;
    user.runs = 1 + Math.floor(9.5 * random.exponential());
    user.favourite = random.oneOf(TOOLS);
    user.liking = random.memberRate(0.3, 0.3);
    user.luck = random.memberRate(0.15, 0.3);
  };
  return {
    tools: TOOLS,
    guilty: [],
    run() {
      if (user.runs === 0) newUser();
      user.runs -= 1;
      const run = new RunRecorder(random);
      const turns = habit.turns();
      const failsAt = random.chance(user.luck) ? random.between(0, turns - 1) : -1;
      const rest = { session: `session ${user.session}` };
      let tool: string | undefined;
      for (let turn = 0; turn < turns; turn += 1) {
        tool = random.chance(user.liking) ? user.favourite : habit.after(tool);
        run.call(tool, turn === failsAt ? "that is not what I asked for" : null);
        if (turn === failsAt) return run.end("ERROR", rest);
      }
      return run.end("COMPLETED", rest);
    },
  };
}

function neverComparable(random: WorldRandom): WorldAgent {
  return {
    tools: ["open", "scan", "fast", "medium", "slow", "finish"],
    guilty: [],
    run() {
      const run = new RunRecorder(random);
      const isScan = random.chance(0.5);
      run.call(isScan ? "scan" : "open");
      run.call(isScan ? "slow" : random.oneOf(["fast", "medium"]));
      // What comes first is not a choice: the request says which.
      const isFailed = random.chance(isScan ? 0.25 : 0.05);
      run.call("finish", isFailed ? "not readable" : null);
      return run.end(isFailed ? "ERROR" : "COMPLETED", { situation: isScan ? "paper" : "file" });
    },
  };
}

/** Nothing is planted, but something makes an innocent tool look guilty. */
export const INNOCENTS: World[] = [
  {
    name: "hard cases, recorded",
    plants:
      "nothing: hard cases fail 8 times as often and prefer a harmless tool; the context says which are hard",
    draw: (random) => hardCases(random, true),
  },
  {
    name: "hard cases, not recorded",
    plants: "as before, but nothing that is recorded says which cases are hard",
    isHopeless: true,
    draw: (random) => hardCases(random, false),
  },
  {
    name: "fallback",
    plants:
      "nothing: a call fails by chance, the agent falls back, and the fallback fails in the same outage (70 %)",
    draw: fallback,
  },
  {
    name: "moving base rate",
    plants: "nothing: from some day on every call fails more (1 to 4 %), and one tool becomes common",
    draw: movingBaseRate,
  },
  {
    name: "habits of users",
    plants:
      "nothing: sessions of about 10 runs differ in what they use and in luck (intraclass correlation 0.3)",
    draw: habitsOfUsers,
  },
  {
    name: "never in the same situation",
    plants:
      "nothing: `slow` is only chosen after a step after which runs fail more; `fast` and `medium` never are",
    draw: neverComparable,
  },
];

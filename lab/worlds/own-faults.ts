import { Habit, TOOLS } from "./habit.ts";
import { RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

const CHANCE_PER_CALL = 0.008;

function circling(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const guilty = random.oneOf(TOOLS);
  const message = "maximum iterations reached";
  return {
    tools: TOOLS,
    guilty: [`chose ${guilty}`],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        tool = habit.after(tool);
        if (run.failsByChance(tool, CHANCE_PER_CALL / 2)) return run.end("ERROR");
        if (tool !== guilty || !random.chance(0.3)) continue;
        const culprits = [run.lastTurn];
        const circle = [random.oneOf(TOOLS), random.oneOf(TOOLS)];
        while (run.turns.length < 20) run.call(circle[run.turns.length % 2] ?? "");
        return run.end("ERROR", { culprits, message });
      }
      return random.chance(0.01) ? run.end("ERROR", { message }) : run.end("COMPLETED");
    },
  };
}

function newTool(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  const isGuilty = random.chance(0.5);
  return {
    tools: [...TOOLS, "new_tool"],
    guilty: isGuilty ? ["chose new_tool"] : [],
    run(index, of) {
      const run = new RunRecorder(random);
      const hasTool = index > 0.4 * of;
      const release = hasTool ? "v2" : "v1";
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        if (hasTool && random.chance(0.2)) {
          const isFailed = random.chance(isGuilty ? 0.2 : CHANCE_PER_CALL);
          run.call("new_tool", isFailed ? "not implemented" : null);
          if (isFailed) return run.end("ERROR", { release, culprits: isGuilty ? [run.lastTurn] : [] });
          continue;
        }
        tool = habit.after(tool);
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR", { release });
      }
      return run.end("COMPLETED", { release });
    },
  };
}

function hungRuns(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  return {
    tools: [...TOOLS, "crawl", "fetch"],
    guilty: ["chose crawl"],
    alsoTrue: ["chose fetch"],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        if (random.chance(0.2)) {
          const isCrawl = random.chance(0.5);
          if (run.failsByChance(isCrawl ? "crawl" : "fetch", isCrawl ? CHANCE_PER_CALL : 0.06))
            return run.end("ERROR", { culprits: isCrawl ? [] : [run.lastTurn] });
          if (isCrawl && random.chance(0.2)) return run.end("RUNNING", { culprits: [run.lastTurn] });
          continue;
        }
        tool = habit.after(tool);
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

function leadsOn(random: WorldRandom): WorldAgent {
  const habit = new Habit(random);
  return {
    tools: [...TOOLS, "prepare", "export"],
    guilty: ["chose export"],
    run() {
      const run = new RunRecorder(random);
      let tool: string | undefined;
      let isPrepared = false;
      for (let turns = habit.turns(); turns > 0; turns -= 1) {
        if (random.chance(isPrepared ? 0.8 : 0.05)) {
          isPrepared = false;
          const isFailed = random.chance(0.12);
          run.call("export", isFailed ? "export: disk quota" : null);
          if (isFailed) return run.end("ERROR", { culprits: [run.lastTurn] });
          continue;
        }
        isPrepared = random.chance(0.15);
        if (!isPrepared) tool = habit.after(tool);
        if (run.failsByChance(isPrepared ? "prepare" : (tool ?? ""), CHANCE_PER_CALL))
          return run.end("ERROR");
      }
      return run.end("COMPLETED");
    },
  };
}

/** A tool fails by itself, hangs, or leaves the agent going in circles. */
export const OWN_FAULTS: World[] = [
  {
    name: "circling",
    plants: "after a tool (30 %) the agent goes in circles until the limit of 20 turns",
    draw: circling,
  },
  {
    name: "new tool",
    plants:
      "a release adds a tool; in half of the agents it fails in 20 % of its calls, in others nothing is planted",
    draw: newTool,
  },
  {
    name: "hung runs",
    plants: "`crawl` never comes back (20 %); `fetch`, chosen in its place, fails (6 %)",
    draw: hungRuns,
  },
  {
    name: "leads on",
    plants: "`export` fails by itself (12 %); `prepare` mostly comes just before it, and is innocent",
    draw: leadsOn,
  },
];

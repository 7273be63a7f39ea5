import { describe, expect, it } from "vitest";
import { drawAgent } from "./draw-agent.ts";
import type { World, WorldRun } from "./world.ts";
import { WORLDS } from "./worlds.ts";

const RUNS = 400;
const isBad = ({ lens }: World, { status, isScoredBad, turns }: WorldRun) => {
  if (lens === "scored") return isScoredBad;
  return lens === "error" ? turns.flat().some(({ error }) => error !== null) : status !== "COMPLETED";
};

describe.each(WORLDS.map((world) => [world.name, world] as const))("the world %s", (_, world) => {
  const { agent, runs } = drawAgent(world, 0, RUNS, 1);
  const bad = runs.filter((run) => isBad(world, run));

  it("draws the same agent for the same numbers, and another one for others", () => {
    expect(drawAgent(world, 0, RUNS, 1).runs).toEqual(runs);
    expect(drawAgent(world, 1, RUNS, 1).runs).not.toEqual(runs);
  });

  it("has runs that went wrong and runs that did not", () => {
    expect(bad.length / RUNS).toBeGreaterThan(0.02);
    expect(bad.length / RUNS).toBeLessThan(0.8);
  });

  it("says of a bad run only what it says of the agent", () => {
    const claims = [...agent.guilty, ...(agent.alsoTrue ?? [])];
    for (const { turns, culprits, missing } of runs) {
      expect(culprits.every((turn) => turns[turn] !== undefined)).toBe(true);
      const tools = culprits.flatMap((turn) => turns[turn]?.map(({ tool }) => tool) ?? []);
      if (culprits.length > 0) expect(tools.some((tool) => claims.includes(`chose ${tool}`))).toBe(true);
      if (missing !== null) expect(claims).toContain(`left out ${missing}`);
    }
    const explained = bad.filter(({ culprits, missing }) => culprits.length > 0 || missing !== null);
    expect(explained.length > 0).toBe(agent.guilty.length > 0);
  });

  it("calls only tools that the agent has", () => {
    const tools = new Set(runs.flatMap(({ turns }) => turns.flat().map(({ tool }) => tool)));
    for (const tool of tools) expect(agent.tools).toContain(tool);
  });
});

import { expect, it } from "vitest";
import type { Evaluation } from "./evaluation.ts";
import { newRuleState, nextState, type RuleState, type StepOptions } from "./next-state.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const evaluation = (overrides: Partial<Evaluation>): Evaluation => ({
  isMet: false,
  isClear: false,
  value: 1,
  low: null,
  high: null,
  runs: 30,
  reason: null,
  ...overrides,
});
const MET = evaluation({ isMet: true });
const CLEAR = evaluation({ isClear: true });
const BETWEEN = evaluation({});
const FEW = evaluation({ value: null, reason: "19 of the 20 runs that are needed" });

/** Checks at these minutes; returns what was said and the states. */
function run(
  checks: readonly [minute: number, evaluation: Evaluation, options?: Partial<StepOptions>][],
  holdMinutes = 10,
) {
  let state: RuleState = newRuleState(0);
  const said: string[] = [];
  const states: string[] = [];
  const incidents: string[] = [];
  for (const [minute, one, options] of checks) {
    const step = nextState(state, one, {
      nowMs: minute * MINUTE,
      holdMs: holdMinutes * MINUTE,
      renotifyMs: null,
      isSilent: false,
      ...options,
    });
    state = step.after;
    states.push(state.state);
    if (step.incident) incidents.push(step.incident);
    if (step.message) said.push(step.message.type + (step.message.isReminder ? " again" : ""));
  }
  return { states, said, incidents };
}

it("fires when the condition held at each check for a while, and recovers when it did not for as long", () => {
  const { states, said, incidents } = run([
    [0, MET],
    [9, MET],
    [10, MET],
    [11, CLEAR],
    [20, CLEAR],
    [21, CLEAR],
  ]);
  expect(states).toEqual(["ok", "ok", "firing", "firing", "firing", "ok"]);
  expect([said, incidents]).toEqual([
    ["alert.firing", "alert.recovered"],
    ["opened", "ended"],
  ]);
});

it("begins to wait anew after one check at which the condition did not hold", () => {
  expect(
    run([
      [0, MET],
      [5, BETWEEN],
      [10, MET],
      [19, MET],
    ]).said,
  ).toEqual([]);
  const { states } = run([
    [0, MET],
    [10, MET],
    [11, CLEAR],
    [15, BETWEEN],
    [21, CLEAR],
  ]);
  expect(states.at(-1)).toBe("firing");
});

it("stays firing without runs for a day, and then has no data", () => {
  const day = 24 * 60;
  const { states, said } = run([
    [0, MET],
    [10, MET],
    [11, FEW],
    [10 + day, FEW],
    [11 + day, FEW],
    [12 + day, CLEAR],
  ]);
  expect(states).toEqual(["ok", "firing", "firing", "firing", "no_data", "ok"]);
  expect(said).toEqual(["alert.firing", "alert.no_data"]);
});

it("says nothing between ok and no data", () => {
  expect(
    run([
      [0, FEW],
      [1, CLEAR],
      [2, FEW],
    ]),
  ).toEqual({ states: ["no_data", "ok", "no_data"], said: [], incidents: [] });
});

it("changes in silence, and says at its end what is still true", () => {
  const silent = { isSilent: true };
  expect(
    run([
      [0, MET, silent],
      [10, MET, silent],
      [11, MET],
    ]).said,
  ).toEqual(["alert.firing"]);
  expect(
    run([
      [0, MET, silent],
      [10, MET, silent],
      [11, CLEAR, silent],
      [21, CLEAR, silent],
      [22, CLEAR],
    ]).said,
  ).toEqual([]);
  const recovered = run([
    [0, MET],
    [10, MET],
    [11, CLEAR, silent],
    [21, CLEAR, silent],
    [22, CLEAR],
  ]);
  expect(recovered.said).toEqual(["alert.firing", "alert.recovered"]);
});

it("reminds as often as the rule says", () => {
  const again = { renotifyMs: HOUR };
  expect(
    run([
      [0, MET, again],
      [10, MET, again],
      [69, MET, again],
      [70, MET, again],
      [71, MET, again],
    ]).said,
  ).toEqual(["alert.firing", "alert.firing again"]);
});

it("fires at the first check if it need not hold", () => {
  expect(
    run(
      [
        [0, MET],
        [1, CLEAR],
      ],
      0,
    ).said,
  ).toEqual(["alert.firing", "alert.recovered"]);
});

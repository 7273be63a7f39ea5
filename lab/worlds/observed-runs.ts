import type { ObservedRun } from "../../packages/server/src/insights/findings/runs/observed-run.ts";
import type { DrawnAgent } from "./draw-agent.ts";
import { reactionsTo } from "./reactions-to.ts";
import type { WorldRun } from "./world.ts";
import { worldTimeMs } from "./world-time.ts";

/** The runs of an agent, as findings are computed from them. Options are numbered as the agent's tools are. */
export function observedRuns({ agent, runs }: DrawnAgent): ObservedRun[] {
  const tools = new Map(agent.tools.map((tool, option) => [tool, option]));
  const numberOf = newNumbers();
  return runs.map((run, index): ObservedRun => {
    const errors = run.turns.map((turn) => {
      const failed = turn.find(({ error }) => error !== null);
      return failed ? numberOf(kindOf(failed)) : null;
    });
    return {
      turns: run.turns.map((turn) => turn.map(({ tool }) => tools.get(tool) ?? tools.size)),
      errors,
      reactions: reactionsTo(errors),
      status: run.status,
      messageKind: run.message === null ? null : numberOf(run.message),
      isScoredBad: run.isScoredBad,
      cluster: numberOf(run.session ?? `run ${index}`),
      situation: numberOf(run.situation ?? ""),
      release: numberOf(run.release ?? ""),
      startedAtMs: worldTimeMs(index, runs.length),
      weight: 1 / run.sampleProbability,
    };
  });
}

/** One fault that hits several tools is one kind of error. */
const kindOf = ({ tool, error }: WorldRun["turns"][number][number]) => error?.replaceAll(tool, "@") ?? "";

function newNumbers() {
  const numbers = new Map<string, number>();
  return (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

import type { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Answer, GivenScore, Judge } from "./judge.ts";
import type { SkippedRuns } from "./skipped-runs.ts";

export interface JudgeCounts {
  ok: number;
  skipped: number;
  failed: number;
  costUsd: number;
}

interface JudgeRunsOptions {
  judge: Judge;
  traces: readonly string[];
  name: string;
  author: string;
  reader: Api;
  /** Undefined: nothing is sent. */
  writer: Api | undefined;
  skipped: SkippedRuns;
  concurrency: number;
  timeoutMs: number;
  maxCostUsd: number | undefined;
  /** Ends after the runs that are under way. */
  stop: AbortSignal;
  onScores(scores: GivenScore[]): void;
  onFailure(traceId: string, reason: string): void;
  onProgress(counts: JudgeCounts): void;
}

/** Judges runs, some at the same time, and stores each run's scores at once, so that nothing is lost if it is stopped. */
export async function judgeRuns(options: JudgeRunsOptions): Promise<JudgeCounts> {
  const { judge, traces, maxCostUsd, stop, concurrency, onFailure, onProgress } = options;
  const counts: JudgeCounts = { ok: 0, skipped: 0, failed: 0, costUsd: 0 };
  const left = [...traces];
  const isOver = () =>
    stop.aborted ||
    judge.endedBy() !== undefined ||
    (maxCostUsd !== undefined && counts.costUsd >= maxCostUsd);
  const work = async () => {
    while (!isOver()) {
      const traceId = left.shift();
      if (traceId === undefined) return;
      const answer = await judgeRun(traceId, options);
      if (answer.kind === "scores") {
        counts.ok += 1;
        counts.costUsd += answer.costUsd;
      } else if (answer.kind === "skipped") counts.skipped += 1;
      // A run that was given up when the command was stopped has not failed: it comes again.
      else if (!stop.aborted) {
        counts.failed += 1;
        onFailure(traceId, answer.reason);
      }
      onProgress(counts);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return counts;
}

async function judgeRun(traceId: string, options: JudgeRunsOptions): Promise<Answer> {
  const { judge, reader, writer, skipped, timeoutMs, stop, name, author, onScores } = options;
  try {
    const run = await reader.call("GET /api/traces/:id", { params: { id: traceId } });
    const answer = await judge.judge(
      { traceId, run },
      AbortSignal.any([AbortSignal.timeout(timeoutMs), stop]),
    );
    if (answer.kind === "skipped" && writer) await skipped.add(traceId, answer.reason);
    if (answer.kind !== "scores") return answer;
    const scores = answer.scores.map((score) => ({ name, ...score, traceId, source: "judge", author }));
    onScores(scores);
    await writer?.send("POST /api/scores", { scores });
    // The queue looks for scores of one name: the run would come again.
    if (writer && !scores.some((score) => score.name === name))
      await skipped.add(traceId, `no score is named ${name}`);
    return answer;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === EXIT.notSignedIn) throw error;
    // The trace was deleted meanwhile.
    if (error.exitCode === EXIT.notFound) return { kind: "skipped", reason: error.message };
    return { kind: "failed", reason: error.message };
  }
}

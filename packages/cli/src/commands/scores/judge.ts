import { agreementWords, type JudgeAgreement, shortCount } from "@whytrace/contract";
import { EXIT } from "../../cli-error.ts";
import { type Command, usageError } from "../../command.ts";
import { type JudgeCounts, judgeRuns } from "../../judge/judge-runs.ts";
import { openJudge } from "../../judge/open-judge.ts";
import { parseSample } from "../../judge/sample.ts";
import { SkippedRuns } from "../../judge/skipped-runs.ts";
import { formatMs } from "../../print/format.ts";
import { printable } from "../../print/output.ts";
import { KEY_OPTION, scoringApi } from "../../scoring-api.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const DEFAULT_SAMPLE = "newest:100";
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_QUEUED_RUNS = 5_000;
const MAX_FAILED_SHARE = 0.1;
const MAX_PRINTED_FAILURES = 10;

export const judge: Command = {
  name: "judge",
  about: "score runs with your own judge, a module or a command",
  positionals: [],
  options: {
    with: { value: "file", about: "module (.js, .ts) with a default export, or any command" },
    name: { value: "name", about: "name of the scores" },
    agent: { value: "name", about: "only runs of this agent" },
    sample: {
      value: "sample",
      about: `newest:N, random:N or near:<signature>:N; default: ${DEFAULT_SAMPLE}`,
    },
    since: { value: "date", about: "only runs that started then or later, for example 2026-11-09" },
    author: { value: "author", about: "the judge with its version; default: the file and its hash" },
    concurrency: { value: "n", about: `runs at the same time (default ${DEFAULT_CONCURRENCY})` },
    timeout: { value: "s", about: `seconds for a run (default ${DEFAULT_TIMEOUT_SECONDS})` },
    "max-cost": { value: "usd", about: "stop when the answers' costUsd reach this" },
    "dry-run": { about: "print the scores, send nothing" },
    ...KEY_OPTION,
    ...TARGET_OPTIONS,
  },
  details:
    "A module exports (run, { signal }) => ({ value }) or several, or null to skip the run. A command reads lines of JSON,\n" +
    '{ "run": … }, and prints { "traceId", "value" }, { "traceId", "skip" } or { "traceId", "error" }, in any order. A run that was\n' +
    "scored or skipped does not come again, so the same command goes on after Ctrl-C. Exits with 1 if more than a tenth failed.",
  async run(call) {
    const { args, config, output } = call;
    const [given, name] = [args.text("with"), args.text("name")];
    if (!given || !name) throw usageError(`Missing --${given ? "name" : "with"}`, "judge");
    const sample = parseSample(args.text("sample") ?? DEFAULT_SAMPLE);
    const concurrency = args.integer("concurrency", { min: 1, max: 100 }) ?? DEFAULT_CONCURRENCY;
    const seconds = args.integer("timeout", { min: 1, max: 86_400 }) ?? DEFAULT_TIMEOUT_SECONDS;
    const maxCostUsd = maxCost(args.text("max-cost"));
    const reader = await readingApi(call);
    const writer = args.has("dry-run") ? undefined : await scoringApi(call, reader);
    const opened = await openJudge(given, args.text("author"), config.all);
    const { author } = opened;
    const stop = new AbortController();
    const onSignal = () => stop.abort();
    process.once("SIGINT", onSignal);
    try {
      const skipped = await SkippedRuns.open(process.cwd(), opened.hash, name);
      const [agent, since] = [args.text("agent"), args.text("since")];
      const limit = Math.min(MAX_QUEUED_RUNS, sample.runs + skipped.size);
      const { traces, left } = await reader.call("GET /api/scores/queue", {
        query: { name, author, ...sample.query, limit, agent, since },
      });
      const chosen = traces.filter((id) => !skipped.has(id)).slice(0, sample.runs);
      output.note(
        `${printable(author)} · ${shortCount(left)} runs unscored · ${shortCount(chosen.length)} chosen, ${sample.words}`,
      );
      const startedAt = performance.now();
      let failures = 0;
      const counts = await judgeRuns({
        judge: opened.judge,
        traces: chosen,
        name,
        author,
        reader,
        writer,
        skipped,
        concurrency,
        timeoutMs: seconds * 1_000,
        maxCostUsd,
        stop: stop.signal,
        onScores: (scores) => {
          if (!writer) for (const score of scores) output.rawJson(`${JSON.stringify(score)}\n`);
        },
        onFailure: (traceId, reason) => {
          failures += 1;
          if (failures <= MAX_PRINTED_FAILURES)
            output.note(`${printable(traceId)}: ${printable(reason, 200)}`);
        },
        onProgress: (now) => output.status(progressLine(now, chosen.length, performance.now() - startedAt)),
      });
      output.status("");
      const { ok, failed } = counts;
      const done = ok + counts.skipped + failed;
      const ended = opened.judge.endedBy();
      if (ended !== undefined && done < chosen.length) output.note(`Stopped: ${ended}`);
      if (writer) {
        const agreement = await reader.call("GET /api/scores/agreement", { query: { name, author, agent } });
        output.line(`${ok} scored, ${counts.skipped} skipped, ${failed} failed of ${chosen.length}.`);
        if (agreement.reviewed > 0) output.line(agreementLine(agreement));
        output.json({ author, chosen: chosen.length, left, ...counts, agreement });
      }
      return failed > MAX_FAILED_SHARE * done ? EXIT.failed : EXIT.ok;
    } finally {
      process.removeListener("SIGINT", onSignal);
      await opened.judge.close();
    }
  },
};

function maxCost(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const usd = Number(text);
  if (text.trim() === "" || !(usd > 0))
    throw usageError("--max-cost must be a number of US dollars", "judge");
  return usd;
}

function agreementLine(agreement: JudgeAgreement): string {
  const { kappa, reviewed, judged } = agreement;
  const figures =
    kappa === null
      ? ""
      : ` κ ${kappa.value.toFixed(2)} (${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)}).`;
  return `${shortCount(reviewed)} of ${shortCount(judged)} runs reviewed.${figures} ${agreementWords(agreement)}`;
}

function progressLine({ ok, skipped, failed }: JudgeCounts, total: number, ms: number): string {
  const done = ok + skipped + failed;
  const perSecond = (done * 1_000) / Math.max(1, ms);
  const left = formatMs(((total - done) * 1_000) / Math.max(0.001, perSecond));
  return ` ${done}/${total}  ok ${ok}  skipped ${skipped}  failed ${failed}  · ${perSecond.toFixed(1)}/s · ${left} left      Ctrl-C stops; the same command goes on`;
}

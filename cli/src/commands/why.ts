import type { Blame, Suspect } from "@whytrace/contract";
import type { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { formatCount, formatMs, formatType } from "../format.ts";
import { latestTrace } from "../latest-trace.ts";
import { optionName } from "../option-name.ts";
import { type Output, printable } from "../output.ts";
import { describeRate, printDivergence } from "../print-comparison.ts";
import { nearestGoodRun, readComparison } from "../read-comparison.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

/** What the server says of a trace or span that did not fail. */
const NO_ERROR = "There is no error here";
const MAX_SUSPECTS = 3;
/** Days from before an update are counted a month at a time. */
const MAX_REQUESTS = 12;
const SUSPICION_STYLE = { likely: "red", possible: "yellow", none: "dim" } as const;

export const why: Command = {
  name: "why",
  about:
    "explain why a trace failed: the error, the decisions that likely made the difference, and the nearest good run",
  positionals: ["[id]"],
  options: {
    last: { about: "explain the latest failed trace" },
    span: { value: "id", about: "the failed span to explain; default: the error that the trace ended with" },
    ...TARGET_OPTIONS,
  },
  details:
    "Compares what followed each choice in the last 30 days: an association, not a cause. --json prints { blame, comparison }.\n" +
    "Exits with 4 if there is no such trace or nothing failed in it.",
  async run(call) {
    const { args, output } = call;
    const [given] = args.positionals;
    if (args.has("last") === (given !== undefined))
      throw usageError("Pass either the id of a trace or --last", "why");
    const api = await readingApi(call);
    const id = given ?? (await latestTrace(api, "ERROR"));
    const blame = await readBlame(api, id, args.text("span"));
    const nearest = await nearestGoodRun(api, id);
    const comparison = nearest === undefined ? null : await readComparison(api, id, nearest);
    output.json({ blame, comparison });
    if (output.isJson) return;
    printError(blame, output);
    for (const [index, suspect] of blame.suspects.slice(0, MAX_SUSPECTS).entries())
      printSuspect(index + 1, suspect, output);
    output.line();
    if (!comparison) {
      output.note("No run of this agent that went well was found to compare with.");
      return;
    }
    output.line(`Nearest run that went well: ${printable(comparison.b.id)} (b); this run is a.`);
    printDivergence(comparison, output);
  },
};

async function readBlame(api: Api, id: string, spanId: string | undefined): Promise<Blame> {
  const query = spanId === undefined ? "" : `?${new URLSearchParams({ spanId })}`;
  let blame: Blame;
  let requests = 0;
  do {
    blame = (await api.get(`/api/insights/blame/${encodeURIComponent(id)}${query}`).catch(explain)) as Blame;
    requests += 1;
  } while (blame.progress !== undefined && requests < MAX_REQUESTS);
  return blame;
}

function explain(error: unknown): never {
  if (!(error instanceof CliError && error.message === NO_ERROR)) throw error;
  throw new CliError("Nothing failed here", {
    advice: "`whytrace traces --status ERROR` lists failed traces.",
    exitCode: EXIT.notFound,
  });
}

function printError({ traceId, agent, error, decisions }: Blame, output: Output) {
  const message = error.message === null ? "" : `: ${printable(error.message, 200)}`;
  output.line(`${output.paint("red", "✕")} ${output.paint("bold", printable(error.name))}${message}`);
  output.line(
    output.paint(
      "dim",
      `${printable(agent)} · ${printable(traceId)} · ${formatCount(error.runs, "run")} with this error in 30 days · ` +
        `${formatCount(decisions, "decision")} before it`,
    ),
  );
}

function printSuspect(rank: number, suspect: Suspect, output: Output) {
  const { option, type, suspicion, place, chosen, alternative, clue, beforeMs, decisionPointId } = suspect;
  output.line();
  output.line(
    `${rank}. ${output.paint("bold", optionName(option))} ${output.paint(SUSPICION_STYLE[suspicion], suspicion === "none" ? "no suspect" : suspicion)} ` +
      output.paint(
        "dim",
        `${formatType(type)}${place === null ? "" : ` in ${printable(place, 60)}`} · ${formatMs(beforeMs)} before the error · ${printable(decisionPointId)}`,
      ),
  );
  output.line(`   ${describeRate(chosen)}`);
  if (alternative) output.line(`   ${optionName(alternative.option)}: ${describeRate(alternative.rate)}`);
  if (clue)
    output.line(
      `   ${printable(clue.key, 60)} = ${printable(clue.value, 60)} in ${clue.failed} of ${clue.failedTotal} that failed, ${clue.fine} of ${clue.fineTotal} that did not`,
    );
}

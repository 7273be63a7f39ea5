import { type Blame, type Findings, NO_ERROR_TO_EXPLAIN, NO_PARTNER } from "@whytrace/contract";
import type { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Call, type Command, usageError } from "../command.ts";
import { latestTrace } from "../latest-trace.ts";
import { printable } from "../print/output.ts";
import { printBlame } from "../print/print-blame.ts";
import { printDivergence } from "../print/print-comparison.ts";
import { printFindings } from "../print/print-findings.ts";
import { readComparison, readPartners } from "../print/read-comparison.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

/** Days from before an update are counted a month at a time, and agents for ten seconds. */
const MAX_REQUESTS = 12;
const LENSES: readonly Findings["lens"][] = ["failed", "error", "scored"];
/** Of all runs, not of one. */
const LIST_OPTIONS = ["agent", "lens", "from", "to"] as const;
const TRACE_OPTIONS = ["span", "reason"] as const;

export const why: Command = {
  name: "why",
  about: "explain why runs go wrong: which choices explain it, or why one trace went wrong",
  positionals: ["[id]"],
  options: {
    last: { about: "explain the latest bad trace" },
    span: { value: "id", about: "the failed span to explain; default: the error that the trace ended with" },
    reason: {
      value: "number",
      about: "the reason to explain for which the trace is bad, from 0 on, as --json lists them",
    },
    agent: { value: "name", about: "without an id: only runs of this agent" },
    lens: {
      value: "lens",
      about: `without an id: which runs are bad: ${LENSES.join(", ")}; default: failed, or scored if no run failed`,
    },
    from: { value: "time", about: "without an id: start of the time range; default: the last 30 days" },
    to: { value: "time", about: "without an id: end of the time range" },
    ...TARGET_OPTIONS,
  },
  details:
    "Without an id, lists the options that explain bad runs. With an id, prints the error, the choices that likely explain it, and the\n" +
    "nearest run that went well. Choices are compared in the same situation: an association, not a cause.\n" +
    "--json prints the findings, or { blame, comparison }. Exits with 4 if there is no such trace or nothing went wrong in it.",
  async run(call) {
    const { args } = call;
    const [given] = args.positionals;
    const isOfTrace = given !== undefined || args.has("last");
    if (given !== undefined && args.has("last"))
      throw usageError("Pass either the id of a trace or --last", "why");
    const misplaced = (isOfTrace ? LIST_OPTIONS : TRACE_OPTIONS).find((name) => args.has(name));
    if (misplaced)
      throw usageError(
        isOfTrace ? `--${misplaced} is for all runs, not for one` : `--${misplaced} needs the id of a trace`,
        "why",
      );
    const api = await readingApi(call);
    if (isOfTrace) await explainTrace(call, api, given ?? (await latestTrace(api, "bad")));
    else await listFindings(call, api);
    return undefined;
  },
};

async function listFindings({ args, output }: Call, api: Api): Promise<void> {
  const [agent, lens, from, to] = LIST_OPTIONS.map((name) => args.text(name));
  let found: Findings;
  let requests = 0;
  do {
    found = await api.call("GET /api/insights/findings", { query: { agent, lens, from, to } });
    requests += 1;
  } while (found.progress !== null && found.progress.agentsLeft > 0 && requests < MAX_REQUESTS);
  output.json(found);
  if (!output.isJson) printFindings(found, output);
}

async function explainTrace({ args, output }: Call, api: Api, id: string): Promise<void> {
  const blame = await readBlame(api, id, { spanId: args.text("span"), reason: args.text("reason") });
  const { nearest, reason } = await readPartners(api, id);
  const partner = blame.partner?.traceId ?? nearest;
  const comparison = partner === undefined ? null : await readComparison(api, id, partner);
  output.json({ blame, comparison });
  if (output.isJson) return;
  printBlame(blame, output);
  output.line();
  if (!comparison) {
    output.note(NO_PARTNER[reason ?? "no-other-run"]);
    return;
  }
  output.line(`Nearest run that went well: ${printable(comparison.b.id)} (b); this run is a.`);
  printDivergence(comparison, output);
}

async function readBlame(
  api: Api,
  id: string,
  query: { spanId: string | undefined; reason: string | undefined },
): Promise<Blame> {
  let blame: Blame;
  let requests = 0;
  do {
    blame = await api
      .call("GET /api/insights/blame/:traceId", { params: { traceId: id }, query })
      .catch(explain);
    requests += 1;
  } while (blame.progress !== undefined && requests < MAX_REQUESTS);
  return blame;
}

function explain(error: unknown): never {
  if (!(error instanceof CliError && error.message === NO_ERROR_TO_EXPLAIN)) throw error;
  throw new CliError("Nothing went wrong here", {
    advice: "`whytrace traces --outcome bad` lists bad traces.",
    exitCode: EXIT.notFound,
  });
}

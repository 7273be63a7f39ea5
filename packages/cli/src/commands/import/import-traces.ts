import { CliError } from "../../cli-error.ts";
import { type Command, usageError } from "../../command.ts";
import { isObject } from "../../import/fields.ts";
import { findFiles } from "../../import/find-files.ts";
import { type ImportedScore, type ImportedSpan, type Importer, ImportReport } from "../../import/imported.ts";
import { fromLangfuse } from "../../import/langfuse.ts";
import { fromLangsmith } from "../../import/langsmith.ts";
import { otlpRequest } from "../../import/otlp-request.ts";
import { fromPhoenix } from "../../import/phoenix.ts";
import { readRecords } from "../../import/read-records.ts";
import { formatCount } from "../../print/format.ts";
import { KEY_OPTION, scoringApi } from "../../scoring-api.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const IMPORTERS: Readonly<Record<string, Importer>> = {
  langfuse: fromLangfuse,
  langsmith: fromLangsmith,
  phoenix: fromPhoenix,
};
const TOOLS = Object.keys(IMPORTERS).join(", ");
const MAX_REQUEST_TRACES = 100;
const MAX_REQUEST_CHARACTERS = 2 * 1024 * 1024;
const MAX_SCORES = 500;
const MAX_FIELDS_NAMED = 12;
/** Limits of the server, in bytes. */
const MAX_VALUE_BYTES = 200;
const MAX_COMMENT_BYTES = 4_000;
const MAX_METADATA_BYTES = 16_384;

export const importTraces: Command = {
  name: "import",
  about: "store traces, scores and sessions from export files of Langfuse, LangSmith or Phoenix",
  positionals: ["<path>..."],
  options: {
    from: { value: "tool", about: `the tool that wrote the files: ${TOOLS}` },
    "dry-run": { about: "read the files and report, without sending anything" },
    ...KEY_OPTION,
    key: { value: "key", about: "API key with the scope send; default: WHYTRACE_API_KEY" },
    ...TARGET_OPTIONS,
  },
  details:
    "Files are JSON or JSON Lines, also compressed with gzip; those that belong together are imported together. Of a folder, all that end in\n" +
    ".json, .jsonl or .ndjson are read, also in folders inside it. Ids follow from those in the files, so importing twice replaces and adds\n" +
    "nothing.",
  async run(call) {
    const { args, output, config } = call;
    const tool = args.text("from") ?? "";
    const importer = IMPORTERS[tool];
    if (!importer) throw usageError(`--from must be one of: ${TOOLS}`, "import");
    const report = new ImportReport();
    const files = await findFiles(args.positionals, report);
    const records: Record<string, unknown>[][] = [];
    // One after another: a bucket has more files than a process may open.
    for (const file of files) records.push(await readRecords(file));
    const all = records.flat();
    const { spans, scores: read } = importer(all, report);
    const scores = read.map((score) => fitted(score, report));
    const traces = Map.groupBy(spans, ({ traceId }) => traceId);
    const counts = {
      traces: traces.size,
      spans: spans.length,
      events: spans.reduce((sum, span) => sum + span.events.length, 0),
      scores: scores.length,
    };
    if (counts.traces === 0 && counts.scores === 0)
      throw new CliError(`No trace of ${tool} was found in ${formatCount(files.length, "file")}`, {
        advice: `${whatWasRead(all, report)} Choose with --from the tool that wrote the files: ${TOOLS}.`,
      });
    const isDryRun = args.has("dry-run");
    if (!isDryRun) {
      const given = { ...call, config: { ...config, readKey: config.apiKey ?? config.readKey } };
      const api = await scoringApi(given, await readingApi(given));
      let sent = 0;
      for (const batch of batches([...traces.values()])) {
        const refusal = refusedIn(await api.post("/v1/traces", otlpRequest(batch.flat())));
        if (refusal)
          throw new CliError(refusal, { advice: `${formatCount(sent, "trace")} before are stored.` });
        sent += batch.length;
        output.progress(sent, traces.size, "traces");
      }
      for (let from = 0; from < scores.length; from += MAX_SCORES)
        await api.send("POST /api/scores", { scores: scores.slice(from, from + MAX_SCORES) });
    }
    const verb = isDryRun ? "would be stored" : "stored";
    output.line(
      `${formatCount(counts.traces, "trace")} ${verb}: ${formatCount(counts.spans, "span")}, ${formatCount(counts.events, "event")}; ${formatCount(counts.scores, "score")}`,
    );
    const { leftOut, assumed } = report;
    if (assumed.length > 0) output.line(`Assumed: ${listed(assumed)}`);
    if (leftOut.length > 0) output.line(`Not kept: ${listed(leftOut)}`);
    output.json({ ...counts, assumed, leftOut });
    return undefined;
  },
};

/** Only names of fields: their values may be private. */
function whatWasRead([first]: readonly object[], { leftOut }: ImportReport): string {
  if (!first) return "They hold no records.";
  const names = Object.keys(first).slice(0, MAX_FIELDS_NAMED).join(", ");
  return `The first record has the fields ${names}.${leftOut.length > 0 ? ` Not kept: ${listed(leftOut)}.` : ""}`;
}

const listed = (counted: { what: string; count: number }[]) =>
  counted.map(({ what, count }) => `${what} (${count})`).join(", ");

/** What the server says about spans that it did not store. */
function refusedIn(response: unknown): string | undefined {
  const partial = isObject(response) && isObject(response.partialSuccess) ? response.partialSuccess : {};
  const { rejectedSpans, errorMessage } = partial;
  if (!rejectedSpans || rejectedSpans === "0") return undefined;
  return `The server refused ${rejectedSpans} spans: ${errorMessage}`;
}

/** Whole traces in each request. */
function* batches(traces: ImportedSpan[][]): Generator<ImportedSpan[][]> {
  let batch: ImportedSpan[][] = [];
  let characters = 0;
  for (const trace of traces) {
    const size = JSON.stringify(trace).length;
    if (
      batch.length >= MAX_REQUEST_TRACES ||
      (batch.length > 0 && characters + size > MAX_REQUEST_CHARACTERS)
    ) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(trace);
    characters += size;
  }
  if (batch.length > 0) yield batch;
}

/** A score within the limits of the server. What does not fit stands whole in the metadata, if there is room. */
function fitted(score: ImportedScore, report: ImportReport): ImportedScore {
  const { value, comment } = score;
  const whole: Record<string, unknown> = {};
  const cut = (text: string, bytes: number, what: string) => {
    if (Buffer.byteLength(text) <= bytes) return text;
    whole[what] = text;
    return Buffer.from(text)
      .subarray(0, bytes)
      .toString("utf8")
      .replace(/\uFFFD+$/, "");
  };
  const short = {
    name: cut(score.name, MAX_VALUE_BYTES, "name"),
    value: typeof value === "string" ? cut(value, MAX_VALUE_BYTES, "value") : value,
    comment: comment === undefined ? undefined : cut(comment, MAX_COMMENT_BYTES, "comment"),
  };
  const metadata = { ...score.metadata, ...whole };
  const isLarge = Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES;
  if (isLarge) for (const what of Object.keys(metadata)) report.leaveOut(`long ${what}`, "scores");
  return { ...score, ...short, metadata: isLarge ? undefined : metadata };
}

import { createReadStream } from "node:fs";
import { isRecord } from "../../api.ts";
import { CliError } from "../../cli-error.ts";
import { type Command, usageError } from "../../command.ts";
import { formatCount } from "../../print/format.ts";
import { readLines } from "../../read-lines.ts";
import { KEY_OPTION, scoringApi } from "../../scoring-api.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

const MAX_SCORES = 1_000;
/** A request has at most 10 MiB. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

export const scoresImport: Command = {
  name: "scores import",
  about: "store scores from JSON Lines, as `scores export` prints them",
  positionals: ["<file>"],
  options: { ...KEY_OPTION, ...TARGET_OPTIONS },
  details:
    "Scores with ids can be imported again: of two with one id the later stands. If a line is refused, those of earlier requests\n" +
    "stay stored, and the command can be run again.",
  async run(call) {
    const { args, output } = call;
    const [path = ""] = args.positionals;
    const api = await scoringApi(call, await readingApi(call));
    let stored = 0;
    let line = 0;
    let batch: unknown[] = [];
    let characters = 0;
    const send = async () => {
      if (batch.length === 0) return;
      await api.send("POST /api/scores", { scores: batch }).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        throw new CliError(`Lines up to ${line} were refused: ${error.message}`, {
          advice: `${formatCount(stored, "score")} before them were stored.`,
          exitCode: error.exitCode,
        });
      });
      stored += batch.length;
      batch = [];
      characters = 0;
    };
    for await (const text of readLines(readFileText(path))) {
      if (batch.length >= MAX_SCORES || characters + text.length > MAX_CHARACTERS) await send();
      line += 1;
      batch.push(parseLine(text, line));
      characters += text.length;
    }
    await send();
    output.line(`Stored ${formatCount(stored, "score")} at ${api.url}.`);
    output.json({ stored });
    return undefined;
  },
};

async function* readFileText(path: string): AsyncGenerator<string> {
  try {
    for await (const piece of createReadStream(path, "utf8")) yield String(piece);
  } catch {
    throw usageError(`Cannot read ${path}`, "scores import");
  }
}

/** What the server adds to a score is not sent. */
function parseLine(text: string, line: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) {
      const { kind, isWaiting, createdAt, ...score } = value;
      return score;
    }
  } catch {}
  throw new CliError(`Line ${line} is no JSON object`);
}

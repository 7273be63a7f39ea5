import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { CliError } from "../cli-error.ts";
import { usageError } from "../command.ts";
import { isObject } from "./fields.ts";

/** Under these names answers of the tools' APIs have their lists. */
const LISTS = ["data", "runs", "spans", "traces", "observations", "scores", "feedback", "annotations"];

/** The records of a file: a JSON list, an object with a list, one object, or one object per line. */
export async function readRecords(path: string): Promise<Record<string, unknown>[]> {
  const bytes = await readFile(path).catch(() => {
    throw usageError(`Cannot read ${path}`, "import");
  });
  const text = (path.endsWith(".gz") ? gunzip(bytes, path) : bytes).toString("utf8");
  const values =
    parseWhole(text) ?? text.split("\n").flatMap((line, index) => parseLine(line, path, index + 1));
  return values.filter(isObject);
}

function gunzip(bytes: Buffer, path: string): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    throw new CliError(`${path} is no gzip file`);
  }
}

function parseWhole(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    if (!isObject(value)) return [];
    // A single trace has lists of its own, and an id. A session has an id and traces.
    const lists =
      "id" in value && !Array.isArray(value.traces)
        ? []
        : LISTS.flatMap((name) => (Array.isArray(value[name]) ? [value[name]] : []));
    return lists.length > 0 ? lists.flat() : [value];
  } catch {
    return undefined;
  }
}

function parseLine(line: string, path: string, number: number): unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    throw new CliError(`Line ${number} of ${path} is no JSON`);
  }
}

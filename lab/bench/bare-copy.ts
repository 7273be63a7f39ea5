import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ColumnTypes, writeCopyText } from "./copy-text.ts";
import type { IngestBatch } from "./generate/generate-batches.ts";
import { type Packing, writeTextRows } from "./text-rows.ts";

const WRITERS = 2;

interface BareCopy {
  run(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Measures PostgreSQL alone: psql processes run scripts of text COPY in parallel, one transaction per batch like the
 * server.
 */
export async function prepareBareCopy(
  databaseUrl: string,
  batches: Iterable<IngestBatch>,
  packing: Packing,
  types: ColumnTypes,
): Promise<BareCopy> {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-bench-"));
  const paths = Array.from({ length: WRITERS }, (_, writer) => join(folder, `${writer}.sql`));
  const scripts = paths.map((path) => createWriteStream(path));
  let batchCount = 0;
  for (const batch of batches) {
    const script = scripts[batchCount % WRITERS];
    batchCount += 1;
    if (script && !script.write(await writeTransaction(batch, packing, types))) await once(script, "drain");
  }
  await Promise.all(scripts.map((script) => new Promise((finished) => script.end(finished))));
  return {
    async run() {
      await Promise.all(paths.map((path) => runScript(databaseUrl, path)));
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function writeTransaction(batch: IngestBatch, packing: Packing, types: ColumnTypes): Promise<string> {
  const tables = await writeTextRows(batch, packing, types);
  return ["begin;\n", ...tables.map(writeCopyText), "commit;\n"].join("");
}

async function runScript(databaseUrl: string, path: string): Promise<void> {
  const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", `--file=${path}`, databaseUrl];
  const psql = spawn("psql", options, { stdio: ["ignore", "inherit", "inherit"] });
  const [status] = await once(psql, "exit");
  if (status !== 0) throw new Error(`psql exited with ${status}`);
}

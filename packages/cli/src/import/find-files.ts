import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../command.ts";
import type { ImportReport } from "./imported.ts";

const JSON_FILE = /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i;

/** The files that the arguments name: each file, and of a folder those with JSON, also in folders inside it. */
export async function findFiles(paths: string[], report: ImportReport): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => {
        throw usageError(`Cannot read ${path}`, "import");
      },
    );
    if (isFolder) found.push(...(await filesOf(path, report)));
    else found.push(path);
  }
  return found;
}

async function filesOf(folder: string, report: ImportReport): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const all = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = all.filter((file) => JSON_FILE.test(file)).sort();
  if (files.length === 0)
    throw usageError(`${folder} has no file that ends in .json, .jsonl or .ndjson`, "import");
  for (let skipped = files.length; skipped < all.length; skipped += 1)
    report.leaveOut("other files", "folders");
  return files;
}

// Imports 1,000 traces with scores, sessions, events and failed runs from files of each tool, in each form that its documentation
// describes, and reads all of them back. Prints what was stored, what has no place, and the time. Passes if nothing is missing.
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { finish, start } from "../../../packages/cli/test/call.ts";
import {
  langfuseExport,
  langfuseFiles,
  langsmithFiles,
  phoenixFiles,
  phoenixFrames,
} from "../../../packages/cli/test/export-files.ts";
import { importFaults } from "../../../packages/cli/test/import-faults.ts";

const { values } = parseArgs({ options: { traces: { type: "string", default: "1000" } } });
const TRACES = Number(values.traces);
const FORMS = [
  { tool: "langfuse", form: "API", files: langfuseFiles },
  { tool: "langfuse", form: "export", files: langfuseExport },
  { tool: "langsmith", form: "API", files: langsmithFiles },
  { tool: "phoenix", form: "API", files: phoenixFiles },
  { tool: "phoenix", form: "data frames", files: phoenixFrames },
];

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const folder = mkdtempSync(join(tmpdir(), "whytrace-import-"));
  onCleanup(() => rm(folder, { recursive: true }));
  const faults: string[] = [];
  for (const { tool, form, files } of FORMS) {
    const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
    const paths = Object.entries(files(TRACES)).map(([name, content]) => {
      const path = join(folder, `${tool}-${form}-${name}`);
      writeFileSync(path, content);
      return path;
    });
    const env = {
      WHYTRACE_URL: server.url,
      WHYTRACE_API_KEY: tenant.key,
      XDG_CONFIG_HOME: folder,
      WHYTRACE_DATA: folder,
    };
    const startedAt = performance.now();
    const { code, stdout, stderr } = await finish(start(["import", "--from", tool, ...paths], env));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${tool}, ${form}, ${seconds} s: ${stdout.trim().replaceAll("\n", "\n  ")}`);
    if (code !== 0) faults.push(`${tool}, ${form}: exit code ${code}: ${stderr}`);
    const found = await importFaults((path) => tenant.user.get(path), TRACES);
    faults.push(...found.map((fault) => `${tool}, ${form}: ${fault}`));
  }
  console.log(faults.length === 0 ? "Nothing that has a place is missing" : faults.slice(0, 20).join("\n"));
  return faults.length === 0;
});

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const run = promisify(execFile);
const NODE_OPTIONS = [
  "--conditions=@whytrace/source",
  "--import",
  join(ROOT, "packages/sdk/test/send-patiently.ts"),
];
const { server, client, db } = await boot();

interface Found {
  type: string;
  reasoning: string | null;
  alternatives: unknown[];
  trace: { name: string; status: string };
}

async function decisionsOf(work: (key: string) => Promise<unknown>): Promise<Found[]> {
  const sender = await newSender(client, db);
  await work(sender.key);
  return (await sender.get("/api/decisions?sort=oldest&limit=100")).json.decisions;
}

it.each([
  ["support-agent", ["ROUTING", "TOOL_SELECTION", "ESCALATION"]],
  ["coding-agent", ["PLANNING", "RETRY"]],
  ["research-agent", ["MEMORY_RETRIEVAL", "PLANNING"]],
  ["router-agent", ["ROUTING", "ROUTING", "ROUTING", "RETRY"]],
  ["chat-server", ["MEMORY_RETRIEVAL"]],
])("examples/%s runs offline, has less than 100 lines and records its decisions", async (name, types) => {
  const file = join(ROOT, `examples/${name}.js`);
  expect((await readFile(file, "utf8")).split("\n").length).toBeLessThan(100);
  const decisions = await decisionsOf((key) =>
    run(process.execPath, [...NODE_OPTIONS, "--no-warnings", file], {
      env: { PATH: process.env.PATH, WHYTRACE_URL: server.url, WHYTRACE_API_KEY: key },
    }),
  );
  expect(decisions.map(({ type }) => type)).toEqual(types);
  for (const { reasoning, alternatives, trace } of decisions) {
    expect(reasoning).toMatch(/\w+ \w+/);
    expect(alternatives.length).toBeGreaterThan(0);
    expect(trace).toMatchObject({ name, status: "COMPLETED" });
  }
});

/** Creates a separate project with the SDK installed. */
async function newProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-snippet-"));
  await mkdir(join(folder, "node_modules/@whytrace"), { recursive: true });
  await symlink(join(ROOT, "packages/sdk"), join(folder, "node_modules/@whytrace/sdk"));
  return folder;
}

it("the tutorial's agent runs unchanged and records its decision", async () => {
  const folder = await newProject();
  const page = await readFile(join(ROOT, "docs/first-trace.md"), "utf8");
  await writeFile(join(folder, "agent.mjs"), /```js\n(\/\/ agent\.mjs[\s\S]*?)```/.exec(page)?.[1] ?? "");
  const decisions = await decisionsOf((key) =>
    run(process.execPath, [...NODE_OPTIONS, "agent.mjs"], {
      cwd: folder,
      env: { PATH: process.env.PATH, WHYTRACE_URL: server.url, WHYTRACE_API_KEY: key },
    }),
  );
  expect(decisions).toMatchObject([{ type: "TOOL_SELECTION", trace: { name: "refund-agent" } }]);
  await rm(folder, { recursive: true });
});

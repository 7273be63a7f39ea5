import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import {
  langfuseExport,
  langfuseFiles,
  langsmithFiles,
  phoenixFiles,
  phoenixFrames,
} from "../../../test/export-files.ts";
import { importFaults } from "../../../test/import-faults.ts";
import { bootSignedIn } from "../../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();

function write(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "whytrace-import-"));
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

const TRACES = 20;
const SAMPLES = [
  {
    tool: "langfuse",
    form: "API",
    files: langfuseFiles,
    leftOut: ["bookmarked of traces", "htmlPath of traces", "scores of sessions or datasets"],
  },
  {
    tool: "langfuse",
    form: "export",
    files: langfuseExport,
    leftOut: ["bookmarked of traces", "projectId of observations", "scores of sessions or datasets"],
  },
  {
    tool: "langsmith",
    form: "API",
    files: langsmithFiles,
    leftOut: ["app_path of runs", "dotted_order of runs"],
  },
  { tool: "phoenix", form: "API", files: phoenixFiles, leftOut: ["updated_at of annotations"] },
  { tool: "phoenix", form: "data frames", files: phoenixFrames, leftOut: ["updated_at of annotations"] },
];

describe("import", () => {
  it.each(SAMPLES)(
    "keeps all of $tool's $form that has a place, and reports the rest",
    async ({ tool, files, leftOut }) => {
      const sender = await signIn();
      const args = ["import", "--from", tool, ...write(files(TRACES)), "--key", sender.key, "--json"];
      const { code, stdout } = await call(args, env);
      expect(code).toBe(0);
      const result = JSON.parse(stdout.trim());
      expect(result).toMatchObject({
        traces: TRACES,
        spans: 3 * TRACES,
        events: TRACES,
        scores: TRACES,
      });
      const reported = (result.leftOut as { what: string }[]).map(({ what }) => what);
      expect(reported).toEqual(expect.arrayContaining(leftOut));
      expect(await importFaults((path) => sender.get(path), TRACES)).toEqual([]);
      expect((await sender.get("/api/sessions?limit=100")).json.sessions).toHaveLength(TRACES);

      // A second run adds nothing.
      expect((await call(args, env)).code).toBe(0);
      expect((await sender.get("/api/traces?limit=1")).json.total).toBe(TRACES);
      expect((await sender.get("/api/scores?limit=1")).json.total).toBe(TRACES);
    },
  );

  it("says so when the server does not store what another workspace has", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const files = write({ "traces.json": (langfuseFiles(1)["traces.json"] ?? "").replaceAll("lf-", "lfo-") });
    const args = ["import", "--from", "langfuse", ...files, "--key"];
    expect((await call([...args, first.key], env)).code).toBe(0);
    const again = await call([...args, second.key], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/refused 1 spans?: /)]);
  });

  it("sends nothing in a dry run, and says what a file is not", async () => {
    const sender = await signIn();
    const [file = ""] = write(langfuseFiles(2));
    const dry = await call(["import", "--from", "langfuse", file, "--dry-run"], env);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("2 traces would be stored")]);
    expect((await sender.get("/api/traces?limit=1")).json.total).toBe(0);
    expect((await call(["import", "--from", "other", file], env)).code).toBe(2);
    const [broken = ""] = write({ "broken.jsonl": '{"id":"a"}\nno' });
    expect(await call(["import", "--from", "phoenix", broken, "--dry-run"], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Line 2 of"),
    });
  });
});

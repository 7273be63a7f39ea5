import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
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

const newFolder = () => mkdtempSync(join(tmpdir(), "whytrace-import-"));

function write(files: Record<string, string | Buffer>, folder = newFolder()): string[] {
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
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

  it("reads any number of files, and folders with folders and compressed files inside, as a bucket has them", async () => {
    const { "observations.jsonl": observations = "", "scores.jsonl": scores = "" } = langfuseExport(TRACES);
    const parts = observations.split("\n");
    const bucket = newFolder();
    const paths = write(
      {
        ...Object.fromEntries(parts.map((part, index) => [`observations_v2/hour-${index}.jsonl`, part])),
        "scores/scores.jsonl.gz": gzipSync(scores),
        "scores/scores.csv": "id,name",
      },
      bucket,
    );
    expect(paths.length).toBeGreaterThan(4 * TRACES);
    const counts = { traces: TRACES, spans: 3 * TRACES, events: TRACES, scores: TRACES };
    const given = [[bucket], paths.filter((path) => !path.endsWith(".csv"))];
    for (const args of given) {
      const { code, stdout } = await call(
        ["import", "--from", "langfuse", ...args, "--dry-run", "--json"],
        env,
      );
      expect([code, JSON.parse(stdout)]).toMatchObject([0, counts]);
      const isFolder = args.length === 1;
      expect(stdout.includes('{"what":"other files of folders","count":1}')).toBe(isFolder);
    }
    const empty = newFolder();
    expect(await call(["import", "--from", "langfuse", empty], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${empty} has no file that ends in .json`),
    });
  });

  it.each([
    { tool: "langfuse", files: langfuseExport, name: "observations.jsonl", kind: "observations" },
    { tool: "langsmith", files: langsmithFiles, name: "runs.jsonl", kind: "runs" },
    { tool: "phoenix", files: phoenixFrames, name: "spans.jsonl", kind: "spans" },
  ])(
    "places what $tool gives no start time inside its trace, and says so; without any time it is left out",
    async ({ tool, files, name, kind }) => {
      const sender = await signIn();
      const { [name]: text = "" } = files(TRACES + 1);
      const all = text.split("\n").map((line): Record<string, unknown> => JSON.parse(line));
      // Of the last run: the workspaces of other tests have the others.
      const records = all.slice((TRACES / (TRACES + 1)) * all.length);
      // The tool's record loses both times, the model's only its start.
      const damaged = records.map((record) => {
        const type = String(record.type ?? record.run_type ?? record.span_kind);
        const isTool = /tool/i.test(type);
        const isModel = /generation|llm/i.test(type);
        return {
          ...record,
          ...((isTool || isModel) && { start_time: null }),
          ...(isTool && { end_time: null }),
        };
      });
      const [file = "", timeless = ""] = write({
        [name]: damaged.map((record) => JSON.stringify(record)).join("\n"),
        "timeless.jsonl": records
          .map((record) => JSON.stringify({ ...record, start_time: null, end_time: null }))
          .join("\n"),
      });
      const importing = ["import", "--from", tool, "--json", "--key", sender.key];
      const dry = await call([...importing, timeless, "--dry-run"], env);
      expect([dry.code, dry.stderr]).toEqual([
        1,
        expect.stringContaining(`records without a time of ${kind} (${records.length})`),
      ]);

      const { code, stdout } = await call([...importing, file], env);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { traces: 1, spans: 3, assumed: [{ what: `start time of ${kind}`, count: 2 }] },
      ]);
      const [run] = (await sender.get("/api/traces?limit=5")).json.traces;
      const { json } = await sender.get(`/api/traces/${run.id}`);
      expect(json.startedAt).toBe("2026-11-01T00:20:00.000Z");
      const starts = json.spans.map((span: { startedAt: string }) => span.startedAt).sort();
      expect(starts).toEqual([
        "2026-11-01T00:20:00.000Z",
        "2026-11-01T00:20:00.000Z",
        "2026-11-01T00:20:00.900Z",
      ]);
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

  it.each([
    { from: "langfuse", files: phoenixFrames, name: "spans.jsonl", field: "span_kind" },
    { from: "langsmith", files: langfuseExport, name: "observations.jsonl", field: "trace_id" },
  ])(
    "fails for files that $from did not write, and names what it found",
    async ({ from, files, name, field }) => {
      const sender = await signIn();
      const { [name]: text = "" } = files(2);
      const [file = ""] = write({ [name]: text });
      const { code, stdout, stderr } = await call(["import", "--from", from, file, "--key", sender.key], env);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`No trace of ${from} was found in 1 file`);
      expect(stderr).toContain(field);
      expect(stderr).toContain("Choose with --from the tool that wrote the files");
      expect((await sender.get("/api/traces?limit=1")).json.total).toBe(0);
    },
  );

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

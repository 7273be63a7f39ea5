import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { decodeProtobufTraces } from "../../packages/server/src/otlp/decode/decode-protobuf-traces.ts";
import type { OtlpSpan } from "../../packages/server/src/otlp/decode/otlp-span.ts";

/* Runs what the start page and the page about sending to both tell a newcomer to run. */

const ROOT = join(import.meta.dirname, "../..");
/** Of the agent that sends to both. */
const RUNS = 100;
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const blocksOf = (page: string, language: string) =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, text = ""]) => text,
  );

let booted: Booted;
let user: Sender;
let folder: string;
/** A second tool that receives OpenTelemetry: the spans that came. */
const received: OtlpSpan[] = [];
const other = createServer(async (request, response) => {
  received.push(...decoded(await buffer(request)));
  response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
});

function decoded(body: Buffer): OtlpSpan[] {
  const steps = decodeProtobufTraces(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.spans;
  }
}

beforeAll(async () => {
  booted = await boot();
  user = await newSender(booted.client, booted.db);
  // Below node_modules, so that programs find the packages of this checkout.
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "start-page-"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  other.close();
  rmSync(folder, { recursive: true });
});

function run(
  command: string,
  args: string[],
  key = user.key,
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    WHYTRACE_URL: booted.server.url,
    WHYTRACE_API_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: booted.server.url,
    YOUR_OTLP_ENDPOINT: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

async function runProgram(code: string) {
  writeFileSync(join(folder, "agent.mjs"), code);
  return run(process.execPath, ["--conditions=@whytrace/source", "agent.mjs"]);
}

const decisions = async () => (await user.get("/api/decisions")).json.total as number;

const pastedRequests = () => blocksOf("docs/index.md", "sh").filter((block) => block.startsWith("curl "));

describe("the start page", () => {
  it("has three ways to a first decision, and each works as pasted", async () => {
    const requests = pastedRequests();
    expect(requests).toHaveLength(2);
    for (const [index, request] of requests.entries()) {
      const { code, stdout } = await run("bash", ["-c", request]);
      expect([code, stdout]).toEqual([0, ["{}", '{"success":true,"count":1}'][index]]);
      await expect.poll(decisions).toBe(index + 1);
    }
    const [program = ""] = blocksOf("docs/index.md", "js");
    // On a busy machine the SDK may give up sending when the process ends, after two seconds, and says so.
    await expect
      .poll(async () => (await runProgram(program)).code === 0 && (await decisions()) >= 3, {
        timeout: 60_000,
      })
      .toBe(true);
    const { json } = await user.get("/api/decisions");
    for (const { reasoning } of json.decisions) expect(reasoning).toBe("The question is about policy.");
  });

  it("has requests that also work for a second workspace, with runs of now", async () => {
    const colleague = await newSender(booted.client, booted.db);
    for (const [index, request] of pastedRequests().entries()) {
      // Their ids contain the second in which they are sent.
      await sleep(1_000 - (Date.now() % 1_000));
      expect(await run("bash", ["-c", request], colleague.key)).toMatchObject({ code: 0 });
      const stored = async () => (await colleague.get("/api/traces")).json;
      await expect.poll(async () => (await stored()).total).toBe(index + 1);
      const [newest] = (await stored()).traces;
      expect(Math.abs(Date.now() - Date.parse(newest.startedAt))).toBeLessThan(60_000);
    }
  });
});

describe("sending to both", () => {
  it("brings every run to Whytrace and to the other tool, complete", async () => {
    const before = await decisions();
    const [program = ""] = blocksOf("docs/coming-from/sending-to-both.md", "js");
    const often = program.replace(
      /^await trace\./m,
      `for (let run = 0; run < ${RUNS}; run += 1)\n  await trace.`,
    );
    expect(often).not.toBe(program);
    expect(await runProgram(often)).toMatchObject({ code: 0, stderr: "" });
    await expect.poll(decisions).toBe(before + RUNS);
    const pages = await Promise.all([1, 2].map((page) => user.get(`/api/traces?limit=${RUNS}&page=${page}`)));
    const stored = pages.flatMap(({ json }) => json.traces.map(({ id }: { id: string }) => id));
    expect(received).toHaveLength(RUNS);
    expect(received.filter(({ events }) => events.length !== 1)).toEqual([]);
    expect(received.filter(({ traceId }) => !stored.includes(traceId))).toEqual([]);
  });

  it("has a configuration of a collector whose pipelines name what it defines, and both tools", () => {
    interface Collector {
      receivers: object;
      processors: object;
      exporters: Record<string, { endpoint: string; headers: { authorization: string } }>;
      service: {
        pipelines: Record<string, { receivers: string[]; processors: string[]; exporters: string[] }>;
      };
    }
    const [text = ""] = blocksOf("docs/coming-from/sending-to-both.md", "yaml");
    const { receivers, processors, exporters, service } = parse(text) as Collector;
    expect(Object.keys(service.pipelines)).toEqual(["traces", "logs"]);
    for (const pipeline of Object.values(service.pipelines)) {
      expect(Object.keys(receivers)).toEqual(pipeline.receivers);
      expect(Object.keys(processors)).toEqual(pipeline.processors);
      expect(Object.keys(exporters)).toEqual(pipeline.exporters);
    }
    expect(exporters["otlp_http/whytrace"]?.headers.authorization).toMatch(/^Bearer /);
  });
});

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

/*
 * Runs an agent with a real instrumentation in a process of its own, because instrumentations patch modules, and says
 * what its trace lacks.
 */

const MAX_RUN_MS = 60_000;

export interface Agent {
  /** In this folder. */
  file: string;
  /** What its instrumentation does not send, according to docs/opentelemetry/. */
  unsent?: readonly Part[];
  env?: Readonly<Record<string, string>>;
}

type Part = "model calls" | "tools" | "tokens" | "decision" | "alternatives" | "reasoning" | "session";

export interface ReturnedTrace {
  sessionId: string | null;
  totalTokens: number | null;
  spans: { type: string }[];
  decisionPoints: { chosen: unknown; alternatives: unknown[]; reasoning: string | null }[];
}

interface Destination {
  /** Of the Whytrace server. */
  url: string;
  key: string;
  /** Of the stand-in for the model providers, see packages/sdk/test/providers.ts. */
  providerUrl: string;
}

/** Returns the exit code. */
export async function runAgent(
  { file, env }: Agent,
  { url, key, providerUrl }: Destination,
): Promise<number> {
  const child = spawn(file.endsWith(".py") ? "python3" : process.execPath, [file], {
    cwd: import.meta.dirname,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PROVIDER_URL: providerUrl,
      WHYTRACE_API_KEY: key,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${key}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_METRICS_EXPORTER: "none",
      TRACELOOP_BASE_URL: url,
      TRACELOOP_HEADERS: `Authorization=Bearer ${key}`,
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
    timeout: MAX_RUN_MS,
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** What the trace of an agent lacks although its instrumentation sends it. The agent calls one of two tools, once. */
export function missingParts({ unsent = [] }: Agent, trace: ReturnedTrace): Part[] {
  const { sessionId, totalTokens, spans, decisionPoints } = trace;
  const [decision] = decisionPoints;
  const has: Record<Part, boolean> = {
    "model calls": spans.filter(({ type }) => type === "LLM_CALL").length === 2,
    tools: spans.some(({ type }) => type === "TOOL_CALL"),
    tokens: totalTokens === 2_400,
    decision: decisionPoints.length === 1 && JSON.stringify(decision?.chosen).includes("get_weather"),
    alternatives: JSON.stringify(decision?.alternatives).includes("get_time"),
    reasoning: /look it up/.test(decision?.reasoning ?? ""),
    session: sessionId === "conv-1",
  };
  return (Object.keys(has) as Part[]).filter((part) => !has[part] && !unsent.includes(part));
}

export const hasPython = (): Promise<boolean> =>
  promisify(execFile)("python3", ["--version"]).then(
    () => true,
    () => false,
  );

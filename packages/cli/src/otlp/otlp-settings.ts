import type { Environment } from "../config.ts";
import type { CheckResult } from "../print/finding.ts";

/** What an OpenTelemetry exporter does with the environment variables. */
export interface OtlpSettings {
  /** Where it sends traces. */
  url: string;
  /** Names in lower case, values decoded. */
  headers: ReadonlyMap<string, string>;
  protocol: string;
  problems: CheckResult[];
}

const DEFAULT_PROTOCOL = "http/protobuf";
const TRACES_PATH = "/v1/traces";

/** Undefined if no endpoint is set. */
export function readOtlpSettings(env: Environment): OtlpSettings | undefined {
  const read = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
  const full = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || undefined;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  if (full === undefined && base === undefined) return undefined;
  const url = full ?? `${base?.replace(/\/+$/, "")}${TRACES_PATH}`;
  const protocol = read("PROTOCOL") ?? DEFAULT_PROTOCOL;
  const headersText = read("HEADERS") ?? "";
  const headers = parseHeaders(headersText);
  return {
    url,
    headers,
    protocol,
    problems: [
      ...endpointProblems(full, base),
      ...protocolProblems(protocol),
      ...headerProblems(headersText, headers),
    ],
  };
}

/** `name=value,name=value` with percent-encoded values. */
function parseHeaders(text: string): Map<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0
      ? [[pair.slice(0, at).trim().toLowerCase(), decode(pair.slice(at + 1).trim())] as const]
      : [];
  });
  return new Map(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const fail = (text: string, advice: string): CheckResult => ({ status: "fail", text, advice });
const warn = (text: string, advice: string): CheckResult => ({ status: "warn", text, advice });

function endpointProblems(full: string | undefined, base: string | undefined): CheckResult[] {
  const name = full === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  const text = full ?? base ?? "";
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return [fail(`${name} is not a URL: ${text}`, "Write it with http:// or https://.")];
  const { port, pathname } = new URL(text);
  if (port === "4317")
    return [fail(`${name} has port 4317, which is for gRPC`, "Use the URL of your Whytrace server.")];
  if (full === undefined && pathname.endsWith(TRACES_PATH))
    return [
      fail(
        `${name} ends in ${TRACES_PATH}, so traces go to ${pathname}${TRACES_PATH}`,
        `Leave the path out: the exporter appends it. Only OTEL_EXPORTER_OTLP_TRACES_ENDPOINT takes it.`,
      ),
    ];
  if (full !== undefined && !pathname.endsWith(TRACES_PATH))
    return [fail(`${name} does not end in ${TRACES_PATH}`, "This variable takes the full path.")];
  return [];
}

function protocolProblems(protocol: string): CheckResult[] {
  if (protocol === "http/protobuf" || protocol === "http/json") return [];
  const text = `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and Whytrace receives HTTP only`;
  return [fail(text, "Set it to http/protobuf.")];
}

function headerProblems(text: string, headers: ReadonlyMap<string, string>): CheckResult[] {
  const example = 'OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20wt_…"';
  const value = headers.get("authorization");
  if (value === undefined)
    return /authorization\s*:/i.test(text)
      ? [fail("OTEL_EXPORTER_OTLP_HEADERS has a colon after the name", `Write ${example}.`)]
      : [fail("OTEL_EXPORTER_OTLP_HEADERS has no Authorization", `Set ${example}.`)];
  if (/^["']/.test(value))
    return [fail("the quotes are part of the header's value", `Put them around everything: ${example}.`)];
  if (/^bearer%20/i.test(value))
    return [fail("the blank after Bearer is encoded twice", `Write it once: ${example}.`)];
  if (!/^bearer\s/i.test(value))
    return [fail("the Authorization header lacks the word Bearer", `Write ${example}.`)];
  if (/=\s*bearer /i.test(text))
    return [
      warn(
        "the blank after Bearer is not encoded, and some exporters reject or truncate such a header",
        `Write ${example}. Exceptions are OpenLLMetry, LangSmith and OpenLIT, which do not decode it.`,
      ),
    ];
  return [];
}

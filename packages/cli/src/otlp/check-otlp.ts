import { checkDecisions } from "../check-decisions.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Call } from "../command.ts";
import { type Finding, failedCheck } from "../print/finding.ts";
import { formatCount } from "../print/format.ts";
import { printable } from "../print/output.ts";
import { readingApi } from "../target.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import { adviceFor } from "./known-instrumentations.ts";
import { type OtlpSettings, readOtlpSettings } from "./otlp-settings.ts";
import { FEATURES, type Survey, surveyInstrumentations } from "./survey-instrumentations.ts";

/** The server and key to check if no variable of OpenTelemetry is set. */
interface Fallback {
  url: string | undefined;
  key: string | undefined;
}

const MAX_TRACES = 20;

/** Checks the way from an exporter to the server, and then what came over it. */
export async function* checkOtlp(call: Call, fallback: Fallback): AsyncGenerator<Finding> {
  const settings = readOtlpSettings(call.config.all);
  yield* checkVariables(settings, fallback);
  const destination = settings ?? destinationOf(fallback);
  if (!destination || !URL.canParse(destination.url)) return;
  yield { check: "Endpoint", ...(await checkEndpoint(destination)) };
  const { origin } = new URL(destination.url);
  yield* checkArrivals(call, origin);
  if (call.args.has("decisions"))
    yield { check: "Decisions", ...(await checkDecisions(call, origin).catch(failedCheck)) };
}

function* checkVariables(settings: OtlpSettings | undefined, fallback: Fallback): Generator<Finding> {
  const check = "Variables";
  if (!settings) {
    const { url = "http://localhost:3000", key = "wt_…" } = fallback;
    yield {
      check,
      status: "warn",
      text: "OTEL_EXPORTER_OTLP_ENDPOINT is not set here, so an exporter would send to localhost:4318",
      advice: `Set these for your agent:\nOTEL_EXPORTER_OTLP_ENDPOINT=${url}\nOTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${key}"`,
    };
    return;
  }
  for (const problem of settings.problems) yield { check, ...problem };
  if (settings.problems.length === 0)
    yield { check, status: "ok", text: `${settings.url}, ${settings.protocol}, with Authorization` };
}

const destinationOf = ({ url, key }: Fallback) =>
  url === undefined
    ? undefined
    : {
        url: `${url}/v1/traces`,
        headers: new Map(key === undefined ? [] : [["authorization", `Bearer ${key}`]]),
        protocol: "http/protobuf",
      };

async function* checkArrivals(call: Call, origin: string): AsyncGenerator<Finding> {
  const check = "Arrived";
  try {
    const surveys = await surveyInstrumentations(await readingApi(call, origin), MAX_TRACES);
    if (surveys.length === 0)
      yield {
        check,
        status: "warn",
        text: "no trace came by OpenTelemetry lately",
        advice:
          "If your agent has run: did it end before its exporter sent? Call shutdown() or forceFlush() of its provider.",
      };
    for (const survey of surveys) yield { check, ...describeSurvey(survey) };
  } catch (error) {
    const isSignedOut = error instanceof CliError && error.exitCode === EXIT.notSignedIn;
    yield { check, ...failedCheck(error), ...(isSignedOut && { status: "skipped" }) };
  }
}

/** With --json, the finding also has the counts. */
function describeSurvey(survey: Survey): Omit<Finding, "check"> & Survey {
  const { name, version, traces, spans, modelCalls, droppedAttributes, features } = survey;
  const { page, advice } = adviceFor(name);
  const present = FEATURES.filter((feature) => features[feature].of > 0);
  const missing = present.filter((feature) => features[feature].found < features[feature].of);
  const lines = missing.map((feature) => {
    const { found, of } = features[feature];
    return `${feature}: ${found === 0 ? "none" : `${found} of ${of}`}. ${advice[feature]}`;
  });
  if (droppedAttributes > 0)
    lines.push(`${droppedAttributes} attributes were left out. Set OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000.`);
  const complete = present.filter((feature) => !missing.includes(feature));
  const counts = `${formatCount(traces, "trace")}, ${formatCount(spans, "span")}, ${formatCount(modelCalls, "model call")}`;
  const title = name === "" ? "spans without a scope name" : printable(`${name} ${version ?? ""}`.trim());
  return {
    ...survey,
    status: lines.length === 0 ? "ok" : "warn",
    text: `${title}: ${counts}${complete.length > 0 ? `; has ${complete.join(", ")}` : ""}`,
    ...(lines.length > 0 && { advice: [...lines, `See ${page}.`].join("\n") }),
  };
}

import { describe, expect, it } from "vitest";
import { readOtlpSettings } from "./otlp-settings.ts";

const ENDPOINT = "http://127.0.0.1:3000";
const HEADERS = "Authorization=Bearer%20wt_key";
const problemsOf = (env: Record<string, string>) =>
  readOtlpSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: HEADERS,
    ...env,
  })?.problems.map(({ status, text }) => `${status}: ${text}`);

describe("the settings of an exporter", () => {
  it("are undefined without an endpoint", () => {
    expect(readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_EXPORTER_OTLP_HEADERS: HEADERS })).toBe(
      undefined,
    );
  });

  it("are read as the specification says: the path is appended, header values are decoded", () => {
    expect(
      readOtlpSettings({
        OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/`,
        OTEL_EXPORTER_OTLP_HEADERS: `x-team=a%2Cb, ${HEADERS}`,
      }),
    ).toEqual({
      url: `${ENDPOINT}/v1/traces`,
      headers: new Map([
        ["x-team", "a,b"],
        ["authorization", "Bearer wt_key"],
      ]),
      protocol: "http/protobuf",
      problems: [],
    });
  });

  it("prefer the variables for traces, whose endpoint is the full URL", () => {
    const settings = readOtlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://elsewhere:4318",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/api/otel/v1/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: "x=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: HEADERS,
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    });
    expect(settings).toMatchObject({
      url: `${ENDPOINT}/api/otel/v1/traces`,
      protocol: "http/json",
      problems: [],
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:3000" }, /^fail: .*not a URL/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317" }, /^fail: .*gRPC/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/v1/traces` },
      /^fail: .*traces go to \/v1\/traces\/v1\/traces/,
    ],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, /^fail: .*does not end in \/v1\/traces/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /^fail: .*HTTP only/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "" }, /^fail: .*no Authorization/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "Authorization: Bearer wt_key" }, /^fail: .*colon/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "Authorization=wt_key" }, /^fail: .*lacks the word Bearer/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization="Bearer%20wt_key"' }, /^fail: .*quotes/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%2520wt_key" }, /^fail: .*encoded twice/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer wt_key" }, /^warn: .*not encoded/],
  ])("name the mistake in %o", (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
  });
});

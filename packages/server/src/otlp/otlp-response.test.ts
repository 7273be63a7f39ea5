import { describe, expect, it } from "vitest";
import { ProtobufReader } from "./decode/protobuf-reader.ts";
import { statusBody, successBody } from "./otlp-response.ts";

/** The number in field 1 and the text in field 2. */
function decode(bytes: Buffer) {
  const reader = new ProtobufReader(bytes);
  const decoded = { number: 0, text: "" };
  while (reader.next())
    if (reader.field === 1) decoded.number = reader.uint32();
    else decoded.text = reader.text();
  return decoded;
}

describe("responses", () => {
  it("are empty if all is kept", () => {
    expect(successBody("traces", "protobuf")).toHaveLength(0);
    expect(String(successBody("logs", "json"))).toBe("{}");
  });

  it("say what is not kept, and why", () => {
    const partial = { rejected: 300, message: "300 spans have an invalid trace or span id" };
    const names = {
      traces: "rejectedSpans",
      logs: "rejectedLogRecords",
      metrics: "rejectedDataPoints",
    } as const;
    for (const signal of ["traces", "logs", "metrics"] as const) {
      expect(JSON.parse(String(successBody(signal, "json", partial)))).toEqual({
        partialSuccess: { [names[signal]]: "300", errorMessage: partial.message },
      });
      const reader = new ProtobufReader(successBody(signal, "protobuf", partial));
      expect([reader.next(), reader.field]).toEqual([true, 1]);
      reader.enter();
      expect([reader.next(), reader.uint32(), reader.next(), reader.text(), reader.next()]).toEqual([
        true,
        300,
        true,
        partial.message,
        false,
      ]);
    }
  });

  it("may have a message without anything rejected", () => {
    const body = successBody("metrics", "json", { rejected: 0, message: "Metrics are not kept" });
    expect(JSON.parse(String(body)).partialSuccess.errorMessage).toBe("Metrics are not kept");
    expect(successBody("metrics", "protobuf", { rejected: 0, message: "x" })).toEqual(
      Buffer.from([0x0a, 3, 0x12, 1, 0x78]),
    );
  });

  it("are a google.rpc.Status for errors", () => {
    const codes = { 400: 3, 401: 16, 403: 7, 413: 3, 415: 3, 429: 8, 500: 13, 503: 14 };
    for (const [status, code] of Object.entries(codes)) {
      expect(JSON.parse(String(statusBody(Number(status), "wrong", "json")))).toEqual({
        code,
        message: "wrong",
      });
      expect(decode(statusBody(Number(status), "größer", "protobuf"))).toEqual({
        number: code,
        text: "größer",
      });
    }
  });
});

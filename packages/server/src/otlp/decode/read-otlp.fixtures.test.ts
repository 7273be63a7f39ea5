import { existsSync, readdirSync, readFileSync } from "node:fs";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { describe, expect, it } from "vitest";
import { readLogs, readTraces } from "./read-otlp.ts";

/** Requests of real instrumentations in both encodings. They are not part of the repository. */
const FIXTURES = new URL("../../../../../../shared/otlp/fixtures/", import.meta.url);
const hasFixtures = existsSync(FIXTURES);

const files = (pattern: RegExp) =>
  hasFixtures
    ? readdirSync(FIXTURES).flatMap((name) =>
        readdirSync(new URL(`${name}/`, FIXTURES))
          .filter((file) => pattern.test(file))
          .map((file) => `${name}/${file}`),
      )
    : [];
const bytes = (file: string) => readFileSync(new URL(file, FIXTURES));

describe.skipIf(!hasFixtures)("captured requests", () => {
  it("decode to the same spans from protobuf and from JSON, none rejected", async () => {
    const requests = files(/^request-\d+\.json$/);
    expect(requests.length).toBeGreaterThan(60);
    for (const file of requests) {
      const json = await readTraces(bytes(file), "json");
      expect(json.spans.length, file).toBeGreaterThan(0);
      expect(json.rejected, file).toBe(0);
      expect(await readTraces(bytes(file.replace(/json$/, "bin")), "protobuf"), file).toEqual(json);
      expect(await readTraces(encodeOtlp(JSON.parse(String(bytes(file)))), "protobuf"), file).toEqual(json);
    }
  });

  it("of logs decode to the same records", async () => {
    const requests = files(/^logs-\d+\.json$/);
    expect(requests.length).toBeGreaterThan(0);
    for (const file of requests) {
      const json = await readLogs(bytes(file), "json");
      expect(json.records.length, file).toBeGreaterThan(0);
      expect(await readLogs(encodeOtlp(JSON.parse(String(bytes(file))), "logs"), "protobuf"), file).toEqual(
        json,
      );
    }
  });
});

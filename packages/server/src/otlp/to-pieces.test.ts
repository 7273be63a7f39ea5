import { finishSteps } from "@whytrace/contract";
import { otlpSpan } from "@whytrace/testing/otlp/otlp-span.ts";
import { expect, it } from "vitest";
import { CompiledMasking } from "../masking/compiled-masking.ts";
import type { OtlpSpan } from "./decode/otlp-span.ts";
import { toPieces } from "./to-pieces.ts";

const MIB = 1024 * 1024;
const MASKING_OFF = new CompiledMasking({ version: 1, level: "off", key: new Uint8Array(32) }, []);
const RESOURCE = new Map(Array.from({ length: 15 }, (_, n) => [`key.${n}`, "x".repeat(1_000)]));

const spans = (count: number, traceOf: (n: number) => number): OtlpSpan[] =>
  Array.from({ length: count }, (_, n) =>
    otlpSpan(
      {},
      {
        traceId: traceOf(n).toString(16).padStart(32, "0"),
        spanId: n.toString(16).padStart(16, "0"),
        resource: RESOURCE,
      },
    ),
  );

function mapped(sent: OtlpSpan[]) {
  const reported: number[] = [];
  const { pieces, rejected } = finishSteps(toPieces(sent, MASKING_OFF, (bytes) => reported.push(bytes)));
  return { pieces, rejected: Object.fromEntries(rejected), reported };
}

it("tells what it has mapped while it grows", () => {
  const { pieces, reported } = mapped(spans(400, (n) => n % 10));
  expect(pieces.size).toBe(10);
  const bytes = [...pieces.values()].reduce((sum, piece) => sum + piece.bytes, 0);
  expect(bytes).toBeGreaterThan(400 * 15_000);
  expect(reported.length).toBeGreaterThanOrEqual(5);
  expect(reported.at(-1)).toBe(bytes);
});

it("ends a trace at 10 MiB, and the others go on", () => {
  const { pieces, rejected, reported } = mapped(spans(1_000, (n) => (n < 900 ? 1 : n)));
  expect(pieces.size).toBe(100);
  expect(rejected).toEqual({ "a trace may have 10 MiB in a request": 900 });
  expect(reported.at(-1)).toBeLessThan(12 * MIB);
});

it("ends a request at 64 MiB, also if no trace of it is stored", () => {
  const many = mapped(spans(6_000, (n) => n));
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  expect(Object.keys(many.rejected)).toEqual([expect.stringContaining("a request may have 64 MiB")]);
  expect(many.pieces.size + sum(many.rejected)).toBe(6_000);
  expect(many.pieces.size).toBeGreaterThan(4_000);
  expect(many.reported.at(-1)).toBeLessThan(65 * MIB);
  const large = mapped(spans(20_000, (n) => n % 20));
  expect([large.pieces.size, sum(large.rejected)]).toEqual([0, 20_000]);
  expect(large.reported.at(-1)).toBeLessThan(65 * MIB);
});

it("does not map a span whose attributes are too long", () => {
  const long = otlpSpan({ a: [{ b: "\u0001".repeat(11 * MIB) }] });
  const { pieces, rejected, reported } = mapped([long]);
  expect([pieces.size, reported]).toEqual([0, [0]]);
  expect(rejected).toEqual({ "a trace may have 10 MiB in a request": 1 });
});

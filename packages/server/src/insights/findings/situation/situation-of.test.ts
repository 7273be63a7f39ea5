import { expect, it } from "vitest";
import { metadataPair } from "../../../trace-store/rows/metadata-pairs.ts";
import { situationOf } from "./situation-of.ts";

it("tells apart values of the named keys only, in metadata and tags", () => {
  const pairs = [metadataPair("kind", "refund"), metadataPair("order", "4711")];
  const situation = situationOf(["kind", "env"], pairs, ["env:prod", "urgent"]);
  expect(situationOf(["kind", "env"], [metadataPair("kind", "refund")], ["env:prod"])).toBe(situation);
  expect(situationOf(["kind", "env"], pairs, ["env:test"])).not.toBe(situation);
  expect(situationOf(["kind", "env"], [], ["env:prod"])).not.toBe(situation);
});

it("prefers metadata to a tag, and tells a missing key from an empty value", () => {
  expect(situationOf(["env"], [metadataPair("env", "a")], ["env:b"])).toBe(
    situationOf(["env"], [], ["env:a"]),
  );
  expect(situationOf(["env"], [], ["env:"])).not.toBe(situationOf(["env"], [], []));
});

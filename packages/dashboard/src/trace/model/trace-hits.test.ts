import { absentFields, EVENT, type SearchHit } from "@whytrace/contract";
import { expect, it } from "vitest";
import { at, outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { groupHits, isInContents } from "./trace-hits.ts";

const event = (id: string, spanId: string | null) => ({
  ...absentFields(EVENT),
  id,
  spanId,
  name: id,
  type: "CUSTOM" as const,
  timestamp: at(1),
});
const tree = buildTree({
  ...outline([span("root", [0, 10])], [decision("go", 1, "root")]),
  events: [event("in-span", "root"), event("alone", null), event("orphan", "gone")],
});
const hit = (kind: SearchHit["record"]["kind"], id: string, field: SearchHit["field"]): SearchHit => ({
  kind: "hit",
  traceId: "t",
  traceName: "t",
  traceStartedAt: at(0),
  status: "COMPLETED",
  record: { kind, id, name: id },
  field,
  before: "",
  match: "x",
  after: "",
});

it("gives the hits of an event to its span, and the others to the trace", () => {
  const { byKey, outside } = groupHits(tree, [
    hit("trace", "t", "metadata"),
    hit("span", "root", "input"),
    hit("span", "root", "output"),
    hit("decisionPoint", "go", "contextSnapshot"),
    hit("event", "in-span", "name"),
    hit("event", "alone", "name"),
    hit("event", "orphan", "metadata"),
  ]);
  const ids = (hits: SearchHit[] = []) => hits.map(({ record, field }) => `${record.id} ${field}`);
  expect(ids(byKey.get("s:root"))).toEqual(["root input", "root output", "in-span name"]);
  expect(ids(byKey.get("d:go"))).toEqual(["go contextSnapshot"]);
  expect(ids(outside)).toEqual(["t metadata", "alone name", "orphan metadata"]);
});

it("gives the hits of a span in a group to the group, too", () => {
  const same = Array.from({ length: 6 }, (_, i) => span(`embed-${i}`, [i, i + 1], null, { name: "embed" }));
  const { byKey } = groupHits(buildTree(outline(same, [])), [
    hit("span", "embed-3", "output"),
    hit("span", "embed-5", "output"),
  ]);
  expect(byKey.get("s:embed-3")).toHaveLength(1);
  expect(byKey.get("g:s:embed-0")).toHaveLength(2);
});

it("knows which fields the tree itself does not show", () => {
  expect(isInContents(hit("span", "root", "name"))).toBe(false);
  expect(isInContents(hit("decisionPoint", "go", "reasoning"))).toBe(false);
  expect(isInContents(hit("span", "root", "output"))).toBe(true);
  expect(isInContents(hit("event", "alone", "name"))).toBe(true);
});

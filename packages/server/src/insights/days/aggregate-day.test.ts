import { finishSteps } from "@whytrace/contract";
import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterEach, expect, it, vi } from "vitest";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { aggregateDay, type SettledCache, type TracesAggregate } from "./aggregate-day.ts";
import type { CountTable } from "./count-table.ts";
import { mergeDay } from "./merge-day.ts";
import { Tally } from "./tally.ts";

const { client, db } = await boot();
const DAY = new Date(Date.now() - 10 * 24 * 3_600_000).toISOString().slice(0, 10);
const at = (time: string) => `${DAY}T${time}:00.000Z`;

afterEach(() => {
  vi.useRealTimers();
});

/** A trace that started at a time of the day, and chose an option. */
const startedAt = (time: string, chosen: string, id?: string) =>
  trace({
    ...(id && { id }),
    startedAt: at(time),
    endedAt: at(time),
    status: "COMPLETED",
    totalCost: 0.25,
    decisionPoints: [decision({ chosen, alternatives: ["wait", "go"], timestamp: at(time) })],
  });

/** `computed` says until which times traces were added up since it was called last. */
function newCache() {
  const entries = new Map<string, Promise<TracesAggregate>>();
  const computed: string[] = [];
  const cache: SettledCache = (version, key, compute) => {
    const versionKey = `${key} ${version}`;
    const entry =
      entries.get(versionKey) ??
      compute().then((added) => {
        computed.push(new Date(added.untilMs).toISOString().slice(11, 16));
        return added;
      });
    entries.set(versionKey, entry);
    return entry;
  };
  return { cache, computed: () => computed.splice(0) };
}

/** What was counted, whatever the order. */
async function figuresOf(workspaceId: WorkspaceId, cache?: SettledCache) {
  const { figures, traceCount } = await aggregateDay(db, workspaceId, DAY, cache);
  const tally = new Tally();
  finishSteps(mergeDay(tally, figures));
  const rows = (table: CountTable) =>
    Array.from({ length: table.size }, (_, row) =>
      [
        ...([0, 1, 2] as const).map((index) => table.keys.key(row, index)),
        ...Array.from({ length: table.width }, (_, column) => table.get(row, column)),
      ].join(),
    ).sort();
  return {
    traceCount,
    groups: rows(tally.groups),
    choices: rows(tally.choices),
    moves: rows(tally.transitions),
  };
}

it("adds up the older traces of a day again only if one of them changed, and counts the same as when the day is over", async () => {
  const sender = await newSender(client, db);
  const { cache, computed } = newCache();
  const expectSame = async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(at("20:40")) });
    const figures = await figuresOf(sender.workspaceId, cache);
    vi.useRealTimers();
    expect(figures).toEqual(await figuresOf(sender.workspaceId));
    return figures;
  };
  const old = startedAt("03:00", "wait");
  const long = startedAt("20:14", "go");
  await sender.send([
    old,
    startedAt("18:59", "go"),
    startedAt("19:00", "go"),
    long,
    startedAt("20:15", "go"),
  ]);
  await expectSame();
  expect(computed()).toEqual(["19:00", "20:15"]);
  await sender.send([startedAt("20:30", "wait")]);
  await expectSame();
  expect(computed()).toEqual([]);

  await sender.send([startedAt("20:14", "wait", long.id)]);
  await expectSame();
  expect(computed()).toEqual(["20:15"]);
  await sender.send([startedAt("03:00", "go", old.id)]);
  await expectSame();
  expect(computed()).toEqual(["19:00", "20:15"]);
  await sender.send([startedAt("04:00", "wait")]);
  await expectSame();
  expect(computed()).toEqual(["19:00", "20:15"]);
  await sender.delete(`/api/traces/${old.id}`);
  expect((await expectSame()).traceCount).toBe(6);
  expect(computed()).toEqual(["19:00", "20:15"]);
});

it("does not cache a day that is over or has not begun", async () => {
  const sender = await newSender(client, db);
  await sender.send([startedAt("03:00", "wait")]);
  const { cache, computed } = newCache();
  for (const now of ["2000-01-01T12:00:00Z", at("00:29")]) {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    await figuresOf(sender.workspaceId, cache);
  }
  vi.useRealTimers();
  expect((await figuresOf(sender.workspaceId, cache)).traceCount).toBe(1);
  expect(computed()).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(at("00:30")) });
  await figuresOf(sender.workspaceId, cache);
  expect(computed()).toEqual(["00:15"]);
});

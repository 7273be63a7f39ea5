import { boot } from "@whytrace/testing/boot.ts";
import { decision, newSender, trace } from "@whytrace/testing/sample-traces.ts";
import { afterEach, expect, it, vi } from "vitest";
import { addDay } from "./add-day.ts";
import { type AddedUpTraces, addUpDay, type SettledCache } from "./add-up-day.ts";
import type { CountTable } from "./count-table.ts";
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

/** Counts what is computed and not found in it. */
function newCache() {
  const entries = new Map<string, Promise<AddedUpTraces>>();
  const cache: SettledCache = (version, day, compute) => {
    const key = `${day} ${version}`;
    const entry = entries.get(key) ?? compute();
    entries.set(key, entry);
    return entry;
  };
  return { cache, computed: () => entries.size };
}

/** What was counted, whatever the order. */
async function figuresOf(userId: string, cache?: SettledCache) {
  const { figures, traceCount } = await addUpDay(db, userId, DAY, cache);
  const tally = new Tally();
  addDay(tally, figures);
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

it("adds up the older traces of a day again only if one of them changed, and counts the same as without a cache", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(at("20:30")) });
  const sender = await newSender(client, db);
  const old = startedAt("03:00", "wait");
  await sender.send([old, startedAt("18:59", "go"), startedAt("19:00", "go")]);
  const { cache, computed } = newCache();
  const expectSame = async () =>
    expect(await figuresOf(sender.id, cache)).toEqual(await figuresOf(sender.id));
  await expectSame();
  expect(computed()).toBe(1);
  await sender.send([startedAt("20:00", "wait")]);
  await expectSame();
  expect(computed()).toBe(1);

  await sender.send([startedAt("03:00", "go", old.id)]);
  await expectSame();
  expect(computed()).toBe(2);
  await sender.send([startedAt("04:00", "wait")]);
  await expectSame();
  expect(computed()).toBe(3);
  await sender.delete(`/api/traces/${old.id}`);
  await expectSame();
  expect(computed()).toBe(4);
  expect((await figuresOf(sender.id, cache)).traceCount).toBe(4);
});

it("does not cache a day that is over or has not begun", async () => {
  const sender = await newSender(client, db);
  await sender.send([startedAt("03:00", "wait")]);
  const { cache, computed } = newCache();
  for (const now of ["2000-01-01T12:00:00Z", at("00:30"), at("01:59")]) {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    await figuresOf(sender.id, cache);
  }
  vi.useRealTimers();
  expect((await figuresOf(sender.id, cache)).traceCount).toBe(1);
  expect(computed()).toBe(0);
});

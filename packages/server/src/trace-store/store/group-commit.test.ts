import { afterEach, describe, expect, it, vi } from "vitest";
import { asWorkspaceId, type WorkspaceId } from "../../db/workspace-id.ts";
import { GroupCommit } from "./group-commit.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** With the timers of the test, if it replaces them. */
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Item {
  name: string;
  workspaceId: WorkspaceId;
  bytes: number;
  keys: string[];
}
const item = (name: string, ...keys: string[]): Item => ({
  name,
  workspaceId: asWorkspaceId("one"),
  bytes: 1_000,
  keys: keys.length ? keys : [name],
});
const items = (count: number) => Array.from({ length: count }, (_, n) => item(`i${n}`));

/** A store that takes a moment and tells which items went together and how many transactions ran side by side. */
function recorder(
  fails: (items: Item[]) => boolean = () => false,
  aloneMs: (item: Item) => number = () => 5,
) {
  const groups: string[][] = [];
  const alone: string[] = [];
  let running = 0;
  let most = 0;
  const storeGroup = async (group: Item[]) => {
    groups.push(group.map(({ name }) => name));
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    if (fails(group)) throw new Error(`failed: ${group.map(({ name }) => name).join()}`);
    return group.map(({ name }) => name);
  };
  const storeAlone = async (one: Item) => {
    alone.push(one.name);
    await sleep(aloneMs(one));
    if (fails([one])) throw new Error(`failed: ${one.name}`);
    return one.name;
  };
  const shared = new GroupCommit({ maxWriters: 3, storeGroup, storeAlone });
  return { shared, groups, alone, most: () => most };
}

describe("requests that share transactions", () => {
  it("wait for nothing when they come alone", async () => {
    const { shared, groups } = recorder();
    const stored = shared.store(item("alone"));
    expect(groups).toEqual([["alone"]]);
    expect(await stored).toBe("alone");
  });

  it("get their own result each, at most 16 together in three transactions at a time", async () => {
    const { shared, groups, most } = recorder();
    const results = await Promise.all(items(100).map((one) => shared.store(one)));
    expect(results).toEqual(items(100).map(({ name }) => name));
    expect(most()).toBe(3);
    expect(Math.max(...groups.map((group) => group.length))).toBe(16);
    expect(groups.length).toBeLessThan(12);
  });

  it("fail alone: 4 bad ones among 24 give exactly 4 errors", async () => {
    const bad = new Set(["i3", "i9", "i10", "i22"]);
    const { shared } = recorder((group) => group.some(({ name }) => bad.has(name)));
    const settled = await Promise.allSettled(items(24).map((one) => shared.store(one)));
    expect(settled.flatMap(({ status }, n) => (status === "rejected" ? [`i${n}`] : []))).toEqual([...bad]);
    for (const one of settled)
      if (one.status === "rejected") expect(String(one.reason)).toMatch(/failed: i\d+$/);
  });

  it("never share with one that names the same trace, and keep their order", async () => {
    const { shared, groups } = recorder();
    await Promise.all(
      [item("0"), item("1"), item("2"), item("a", "x"), item("b", "x", "y"), item("c", "y"), item("d")].map(
        (one) => shared.store(one),
      ),
    );
    const groupOf = (name: string) => groups.findIndex((group) => group.includes(name));
    expect(groupOf("a")).toBeLessThan(groupOf("b"));
    expect(groupOf("b")).toBeLessThan(groupOf("c"));
    expect(groupOf("d")).toBe(groupOf("a"));
  });

  it("go alone at once when they are large", async () => {
    const { shared, alone } = recorder();
    await Promise.all([...items(8), { ...item("large"), bytes: 2_000_000 }].map((one) => shared.store(one)));
    expect(alone).toEqual(["large"]);
  });

  it("are taken from users round robin: the request of one user goes with the next group, however many of another wait", async () => {
    const { shared, groups } = recorder();
    const stored = [...items(200), { ...item("quiet"), workspaceId: asWorkspaceId("other") }].map((one) =>
      shared.store(one),
    );
    await Promise.all(stored);
    expect(groups.findIndex((group) => group.includes("quiet"))).toBe(3);
  });

  it("never wait for another transaction: neither for a trace that it stores nor, among several users, for its user", async () => {
    const running: Item[][] = [];
    const collisions: string[] = [];
    const storeGroup = async (group: Item[]) => {
      for (const { name, workspaceId, keys } of group)
        for (const other of running.flat())
          if (other.workspaceId === workspaceId || other.keys.some((key) => keys.includes(key)))
            collisions.push(`${name} and ${other.name}`);
      running.push(group);
      await sleep(5);
      running.splice(running.indexOf(group), 1);
      return group.map(({ name }) => name);
    };
    const shared = new GroupCommit({ maxWriters: 3, storeGroup, storeAlone: async ({ name }: Item) => name });
    const sent = Array.from({ length: 60 }, (_, n) => ({
      ...item(`i${n}`, `${n % 7}`),
      workspaceId: asWorkspaceId(`workspace ${n % 5}`),
    }));
    const first = sent.slice(0, 30).map((one) => shared.store(one));
    await sleep(3);
    const stored = await Promise.all([...first, ...sent.slice(30).map((one) => shared.store(one))]);
    expect(stored).toEqual(sent.map(({ name }) => name));
    expect(collisions).toEqual([]);
  });

  it("are stored alone if they could not be together, and the caller learns why they were not", async () => {
    const failure = new Error("deadlock detected");
    const failures: unknown[] = [];
    const shared = new GroupCommit({
      maxWriters: 1,
      storeGroup: () => Promise.reject<string[]>(failure),
      storeAlone: async ({ name }: Item) => name,
      onGroupFailed: (error) => failures.push(error),
    });
    const stored = await Promise.all(items(3).map((one) => shared.store(one)));
    expect(stored).toEqual(items(3).map(({ name }) => name));
    expect(new Set(failures)).toEqual(new Set([failure]));
  });

  it("are not grouped beyond 512 KiB", async () => {
    const { shared, groups } = recorder();
    await Promise.all(items(12).map((one) => shared.store({ ...one, bytes: 200_000 })));
    expect(Math.max(...groups.map((group) => group.length))).toBe(2);
  });

  it("do not wait for one that waits alone for a lock, and are not grouped with that user's next ones", async () => {
    vi.useFakeTimers();
    const isBlocked = ({ workspaceId }: Item) => workspaceId === "blocked";
    const { shared, groups, alone } = recorder(
      (group) => group.length > 1 && group.some(isBlocked),
      (one) => (isBlocked(one) ? 700 : 5),
    );
    const blocked = { ...item("b1"), workspaceId: asWorkspaceId("blocked") };
    const fillers = items(3).map((one) => shared.store(one));
    let isStored = false;
    void shared.store(blocked).then(() => {
      isStored = true;
    });
    const victims = ["victim", "next"].map((name) =>
      shared.store({ ...item(name), workspaceId: asWorkspaceId(name) }),
    );
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all([...fillers, ...victims]);
    expect(isStored).toBe(false);
    await vi.advanceTimersByTimeAsync(600);
    expect(isStored).toBe(true);
    void shared.store({ ...blocked, name: "b2" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(alone).toContain("b2");
    expect(groups.flat()).not.toContain("b2");
  });
});

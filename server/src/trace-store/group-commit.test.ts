import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { GroupCommit } from "./group-commit.ts";

interface Item {
  name: string;
  bytes: number;
  keys: string[];
}
const item = (name: string, ...keys: string[]): Item => ({
  name,
  bytes: 1_000,
  keys: keys.length ? keys : [name],
});
const items = (count: number) => Array.from({ length: count }, (_, n) => item(`i${n}`));

/** A store that takes a moment and tells which items went together and how many transactions ran side by side. */
function recorder(fails: (items: Item[]) => boolean = () => false) {
  const groups: string[][] = [];
  let running = 0;
  let most = 0;
  const shared = new GroupCommit(async (group: Item[]) => {
    groups.push(group.map(({ name }) => name));
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    if (fails(group)) throw new Error(`failed: ${group.map(({ name }) => name).join()}`);
    return group.map(({ name }) => name);
  });
  return { shared, groups, most: () => most };
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
    const { shared, groups } = recorder();
    await Promise.all([...items(8), { ...item("large"), bytes: 2_000_000 }].map((one) => shared.store(one)));
    expect(groups).toContainEqual(["large"]);
  });
});

import { expect, it } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

it("allows ten seconds' amount at once, then as much as refills", () => {
  const buckets = new TokenBuckets(60);
  for (let n = 0; n < 10; n += 1) {
    expect(buckets.waitMs("a", 0)).toBe(0);
    buckets.take("a", 1, 0);
  }
  expect(buckets.waitMs("a", 0)).toBe(1_000);
  expect(buckets.waitMs("a", 1_000)).toBe(0);
  expect(buckets.waitMs("b", 0)).toBe(0);
});

it("lets a user take more than is left, who then waits until the debt is refilled", () => {
  const buckets = new TokenBuckets(600);
  buckets.take("a", 700, 0);
  expect(buckets.waitMs("a", 0)).toBe(60_100);
  expect(buckets.waitMs("a", 60_000)).toBe(100);
  expect(buckets.waitMs("a", 60_100)).toBe(0);
});

it("never saves up more than ten seconds' amount", () => {
  const buckets = new TokenBuckets(60);
  buckets.take("a", 10, 0);
  // Another user's call sweeps users whose bucket is full.
  buckets.take("b", 1, 3_600_000);
  buckets.take("a", 10, 3_600_000);
  expect(buckets.waitMs("a", 3_600_000)).toBe(1_000);
});

it("does not forget a user whose bucket is not full", () => {
  const buckets = new TokenBuckets(60);
  buckets.take("a", 100, 60_000);
  buckets.take("b", 1, 130_000);
  expect(buckets.waitMs("a", 130_000)).toBe(21_000);
});

it("keeps a reserve that only a later call may take", () => {
  const buckets = new TokenBuckets(60, 60);
  buckets.take("a", 10, 0);
  expect(buckets.waitMs("a", 0)).toBe(0);
  expect(buckets.waitMs("a", 0, 50)).toBe(1_000);
  expect(buckets.waitMs("a", 1_000, 50)).toBe(0);
});

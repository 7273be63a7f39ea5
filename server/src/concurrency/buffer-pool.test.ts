import { expect, it } from "vitest";
import { BufferPool } from "./buffer-pool.ts";

const KIB = 1024;

it("hands a buffer out again once it was given back, to one at a time", () => {
  const pool = new BufferPool(1024 * KIB);
  const first = pool.acquire(200 * KIB);
  pool.release(first);
  expect(pool.acquire(200 * KIB)).toBe(first);
  expect(pool.acquire(200 * KIB)).not.toBe(first);
});

it("forgets sizes that nobody asks for when there is no room for one that is used", () => {
  const pool = new BufferPool(1024 * KIB);
  const large = Array.from({ length: 2 }, () => pool.acquire(512 * KIB));
  for (const buffer of large) pool.release(buffer);
  const small = pool.acquire(128 * KIB);
  pool.release(small);
  expect(pool.acquire(128 * KIB)).toBe(small);
});

it("keeps neither more than it may nor what is too small or not its own", () => {
  const pool = new BufferPool(256 * KIB);
  for (const buffer of [Buffer.alloc(8 * KIB), Buffer.alloc(100_001), Buffer.alloc(512 * KIB)]) {
    pool.release(buffer);
    expect(pool.acquire(buffer.length)).not.toBe(buffer);
  }
});

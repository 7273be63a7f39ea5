import { expect, it } from "vitest";
import { BufferPool } from "./buffer-pool.ts";

const KIB = 1024;

it("reuses a released buffer, for one caller at a time", () => {
  const pool = new BufferPool(1024 * KIB);
  const first = pool.acquire(200 * KIB);
  pool.release(first);
  expect(pool.acquire(200 * KIB)).toBe(first);
  expect(pool.acquire(200 * KIB)).not.toBe(first);
});

it("drops free buffers of other sizes to make room for the size in use", () => {
  const pool = new BufferPool(1024 * KIB);
  const large = Array.from({ length: 2 }, () => pool.acquire(512 * KIB));
  for (const buffer of large) pool.release(buffer);
  const small = pool.acquire(128 * KIB);
  pool.release(small);
  expect(pool.acquire(128 * KIB)).toBe(small);
});

it("does not pool buffers that are small, of another size class or larger than the pool", () => {
  const pool = new BufferPool(256 * KIB);
  for (const buffer of [Buffer.alloc(8 * KIB), Buffer.alloc(100_001), Buffer.alloc(512 * KIB)]) {
    pool.release(buffer);
    expect(pool.acquire(buffer.length)).not.toBe(buffer);
  }
});

import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { Encryption } from "./encryption.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const plain = Buffer.from("a secret");

it("decrypts with any of the keys, and encrypts with the first", () => {
  const old = new Encryption([first]).encrypt(plain, "ada");
  const both = new Encryption([second, first]);
  expect(both.decrypt(old, "ada")).toEqual(plain);
  const recent = both.encrypt(plain, "ada");
  expect(new Encryption([second]).decrypt(recent, "ada")).toEqual(plain);
  expect(new Encryption([first]).decrypt(recent, "ada")).toBe(undefined);
});

it("decrypts nothing for somebody else, nothing that was changed, and nothing without its key", () => {
  const encryption = new Encryption([first]);
  const value = encryption.encrypt(plain, "ada");
  expect(value.includes(plain)).toBe(false);
  expect(encryption.encrypt(plain, "ada")).not.toEqual(value);
  expect(encryption.decrypt(value, "grace")).toBe(undefined);
  for (let index = 0; index < value.length; index += 1) {
    const changed = Buffer.from(value);
    changed.writeUInt8(value.readUInt8(index) ^ 1, index);
    expect(encryption.decrypt(changed, "ada")).toBe(undefined);
  }
  expect(encryption.decrypt(value.subarray(0, 5), "ada")).toBe(undefined);
  expect(encryption.decrypt(Buffer.alloc(0), "ada")).toBe(undefined);
  expect(new Encryption([]).decrypt(value, "ada")).toBe(undefined);
  expect(new Encryption([]).isAvailable).toBe(false);
});

import { expect, it } from "vitest";
import { findSecrets } from "./find-secrets.ts";

const KEY = `hf_${"aB3".repeat(12)}`;

it("leaves an encoded file as it is where it looks like a key by chance, and finds a key in short runs and at its beginning", () => {
  const encoded = "q7Zk-".repeat(2_000);
  expect(findSecrets(`${encoded}${KEY}-${encoded}`)).toEqual([]);
  expect(findSecrets(`/${KEY}/${encoded}`)).toEqual([1, 1 + KEY.length]);
  expect(findSecrets(`${encoded} ${KEY} ${encoded}`)).toEqual([
    encoded.length + 1,
    encoded.length + 1 + KEY.length,
  ]);
});

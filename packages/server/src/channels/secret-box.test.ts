import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { asWorkspaceId } from "../db/workspace-id.ts";
import { SecretBox } from "./secret-box.ts";

const [own, other] = [asWorkspaceId("a"), asWorkspaceId("b")];

it("opens what it sealed, for the same workspace and with the same key only", () => {
  const key = randomBytes(32);
  const sealed = new SecretBox(key).seal(own, "whsec_x");
  expect(sealed.includes("whsec_x")).toBe(false);
  expect(new SecretBox(key).open(own, sealed)).toBe("whsec_x");
  expect(new SecretBox(key).open(other, sealed)).toBeUndefined();
  expect(new SecretBox(randomBytes(32)).open(own, sealed)).toBeUndefined();
  expect(new SecretBox(undefined).open(own, sealed)).toBeUndefined();
});

it("opens secrets from before there was a key", () => {
  const sealed = new SecretBox(undefined).seal(own, "whsec_x");
  expect(new SecretBox(randomBytes(32)).open(own, sealed)).toBe("whsec_x");
});

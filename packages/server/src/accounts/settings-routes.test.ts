import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { type Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
});

describe("the account", () => {
  it("accepts a new name, and null to remove it", async () => {
    const user = await client.newUser();
    expect((await user.patch("/api/account", { name: "  Grace Hopper " })).json.user.name).toBe(
      "Grace Hopper",
    );
    expect((await user.get("/api/auth/session")).json.user.name).toBe("Grace Hopper");
    expect((await user.patch("/api/account", { name: null })).json.user.name).toBe(null);
    expect((await user.patch("/api/account", { name: "" })).status).toBe(400);
    expect((await user.patch("/api/account", { email: "x@example.test" })).status).toBe(400);
  });

  it("changes the password only with the current one, and ends the other sessions", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    const wrong = await user.post("/api/account/password", {
      currentPassword: "not it",
      password: "a new password",
    });
    expect([wrong.status, wrong.json]).toEqual([401, { error: "Current password is incorrect" }]);
    expect(
      (await user.post("/api/account/password", { currentPassword: PASSWORD, password: "short" })).status,
    ).toBe(400);
    const right = await user.post("/api/account/password", {
      currentPassword: PASSWORD,
      password: "a new password",
    });
    expect(right.json).toEqual({ success: true });
    expect((await user.get("/api/auth/session")).status).toBe(200);
    expect((await other.get("/api/auth/session")).status).toBe(401);
    await client.signIn(user.email, "a new password");
    expect((await client.post("/api/auth/login", { email: user.email, password: PASSWORD })).status).toBe(
      401,
    );
  });
});

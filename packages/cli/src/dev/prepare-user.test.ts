import { userInfo } from "node:os";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expect, it } from "vitest";
import { Api } from "../api.ts";
import { prepareUser } from "./prepare-user.ts";
import { DEV_EMAIL, isKeyValid } from "./sign-in.ts";

const { server, databaseUrl } = await boot();
const prepare = () => prepareUser(databaseUrl, { url: server.url, previousKey: undefined });

it("names the first workspace after the person who started it", async () => {
  const { session } = await prepare();
  expect(await new Api(server.url, { session }).call("GET /api/workspaces")).toMatchObject({
    workspaces: [{ name: `${userInfo().username}'s workspace` }],
  });
});

it("gives a key of the first workspace if the user has created another, and creates one if none is left", async () => {
  const first = await prepare();
  await new Api(server.url, { session: first.session }).call("POST /api/workspaces", {
    body: { name: "Second" },
  });
  const again = await prepare();
  expect(again.workspace).toBe(first.workspace);
  expect(await isKeyValid(server.url, again.key)).toBe(true);
  await execute(
    databaseUrl,
    `delete from memberships using users where users.id = user_id and email = '${DEV_EMAIL}'`,
  );
  const after = await prepare();
  expect(after.workspace).not.toBe(first.workspace);
  expect(await isKeyValid(server.url, after.key)).toBe(true);
});

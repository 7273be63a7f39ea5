import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expect, it } from "vitest";
import { Api } from "./api.ts";
import { Output } from "./print/output.ts";
import { ensureDemo } from "./seed-demo.ts";

it("loads demo traces once, says so when they are already there, and loads them again when they are gone", async () => {
  const { server, client, db } = await boot({}, { memberships: 1 });
  const user = await newSender(client, db);
  const clients = {
    reader: new Api(server.url, { session: user.cookie?.split("=")[1] }),
    sender: new Api(server.url, { key: user.key }),
  };
  let notes = "";
  const sink = { write: (text: string) => (notes += text) };
  const output = new Output({ stdout: sink, stderr: sink, isJson: false, isColourDisabled: true });
  const storedAfter = async (knownId: string | undefined) => {
    notes = "";
    const id = await ensureDemo(clients, knownId, output, 60);
    return { id, total: (await user.get("/api/traces?limit=1")).json.total };
  };
  const { id, total } = await storedAfter(undefined);
  expect(total).toBe(60);
  expect(notes).toContain("Stored 60 demo traces");
  expect((await user.get("/api/scores/names")).json.names.length).toBeGreaterThan(0);
  expect(await storedAfter(id)).toEqual({ id, total: 60 });
  expect(notes).toContain("The demo traces are already loaded");
  await user.delete(`/api/traces/${id}`);
  expect((await storedAfter(id)).total).toBe(59 + 60);
});

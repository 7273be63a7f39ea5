import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import ipaddr from "ipaddr.js";
import { expect, it } from "vitest";
import { postMessage } from "./post-message.ts";

const receiver = new HookReceiver();
const origin = await receiver.listen();
const port = new URL(origin).port;
const allowedNetworks = [ipaddr.parseCIDR("127.0.0.1/32")];
const message = { headers: {}, body: '{"n":1}' };

it("connects to the address that was checked, however the name resolves later", async () => {
  const answers = [["127.0.0.1"], ["127.0.0.2"]];
  let asked = 0;
  const resolve = async () => answers[asked++] ?? [];
  const attempt = await postMessage(new URL(`http://hook.test:${port}/pinned`), message, {
    allowedNetworks,
    resolve,
  });
  expect([attempt.status, attempt.address, asked]).toEqual([200, "127.0.0.1", 1]);
  expect(receiver.at("/pinned")[0]?.headers.host).toBe(`hook.test:${port}`);
});

it("never connects to a name that has a public address and one that is not", async () => {
  const resolve = async () => ["93.184.215.14", "127.0.0.1"];
  const attempt = await postMessage(new URL(`https://hook.test:${port}/mixed`), message, {
    allowedNetworks: [],
    resolve,
  });
  expect([attempt.status, attempt.error, attempt.address, attempt.isRefusedAddress]).toEqual([
    null,
    "The address of the url is not public, and WEBHOOK_ALLOWED_NETWORKS does not allow its network",
    null,
    true,
  ]);
  expect(receiver.at("/mixed")).toEqual([]);
});

it("says the same of all addresses that are not public, whether or not something listens there", async () => {
  const to = (url: string) => postMessage(new URL(url), message, { allowedNetworks: [] });
  const [open, closed] = [await to(`${origin}/scan`), await to("http://127.0.0.1:1025/")];
  expect(open.error).toBe(closed.error);
  expect(receiver.at("/scan")).toEqual([]);
});

it("follows no redirect, keeps the beginning of the answer, and takes half an answer for a failure", async () => {
  const to = (path: string) => postMessage(new URL(origin + path), message, { allowedNetworks });
  receiver.answer = ({ path }) =>
    path === "/moved"
      ? { status: 302, headers: { location: `${origin}/target` }, body: "\0moved" }
      : path === "/large"
        ? { body: "x".repeat(200_000) }
        : path === "/half"
          ? { isCutOff: true, body: "half" }
          : { status: 429, headers: { "retry-after": "17" } };
  expect(await to("/moved")).toMatchObject({ status: 302, response: "\ufffdmoved" });
  expect(receiver.at("/target")).toEqual([]);
  expect((await to("/large")).response).toHaveLength(1_024);
  expect(await to("/half")).toMatchObject({ status: null, error: expect.stringMatching(/connection/i) });
  expect(await to("/busy")).toMatchObject({ status: 429, retryAfterSeconds: 17 });
});

it("says why a connection failed without naming an address", async () => {
  const attempt = await postMessage(new URL("http://127.0.0.1:1025/"), message, { allowedNetworks });
  expect(attempt.error).toBe("The connection failed (ECONNREFUSED)");
});

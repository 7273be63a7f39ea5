import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkEndpoint } from "./check-endpoint.ts";

const { server, client, db } = await boot();
const sender = await newSender(client, db);

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const other = createServer(handle).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

const check = (url: string, key: string | undefined = sender.key, protocol = "http/protobuf") =>
  checkEndpoint({
    url,
    protocol,
    headers: new Map(key === undefined ? [] : [["authorization", `Bearer ${key}`]]),
  });

describe("the endpoint", () => {
  it.each(["http/protobuf", "http/json"])("accepts an empty request over %s", async (protocol) => {
    expect(await check(`${server.url}/v1/traces`, sender.key, protocol)).toEqual({
      status: "ok",
      text: `${server.url}/v1/traces accepts traces with this key`,
    });
    expect((await sender.get("/api/traces")).json.total).toBe(0);
  });

  it("rejects a wrong key, and a path that is not its own", async () => {
    expect(await check(`${server.url}/v1/traces`, "wt_wrong")).toMatchObject({
      status: "fail",
      text: expect.stringContaining("401"),
      advice: expect.stringContaining("revoked"),
    });
    expect(await check(`${server.url}/v1/traces/v1/traces`)).toMatchObject({
      status: "fail",
      text: expect.stringContaining("404"),
      advice: expect.stringContaining("without a path"),
    });
  });

  it("that does not understand the encoding, redirects, or fails gets its own advice", async () => {
    const url = await listen(({ url: path }, response) => {
      response.statusCode = Number(path?.slice(1));
      response.setHeader("location", "https://new.example/v1/traces");
      response.end();
    });
    expect(await check(`${url}/415`)).toMatchObject({ advice: expect.stringContaining("PROTOCOL") });
    expect(await check(`${url}/308`)).toMatchObject({ advice: expect.stringContaining("new.example") });
    expect(await check(`${url}/429`)).toMatchObject({ advice: expect.stringContaining("plan") });
    expect(await check(`${url}/500`)).toMatchObject({ advice: expect.stringContaining("log") });
  });

  it("that nobody serves, or that does not speak HTTP, is explained", async () => {
    const closed = createTcpServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await check(`http://127.0.0.1:${port}/v1/traces`)).toMatchObject({
      status: "fail",
      text: expect.stringContaining("ECONNREFUSED"),
      advice: expect.stringContaining("Nothing listens"),
    });
    const grpc = createTcpServer((socket) => socket.end("\0\0\x12\x04")).listen(0, "127.0.0.1");
    onTestFinished(() => void grpc.close());
    await new Promise((resolve) => grpc.once("listening", resolve));
    expect(await check(`http://127.0.0.1:${(grpc.address() as AddressInfo).port}/v1/traces`)).toMatchObject({
      status: "fail",
      advice: expect.stringContaining("gRPC"),
    });
  });
});

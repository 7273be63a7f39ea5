import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { freePort } from "@whytrace/testing/free-port.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it } from "vitest";

const port = String(await freePort());
const { server } = await boot({ PORT: port, PUBLIC_URL: `http://localhost:${port}` });
const elsewhere = await boot({ PUBLIC_URL: "https://whytrace.example.com" });

const NAVIGATION = { "sec-fetch-mode": "navigate" };
/** Its status does not depend on how fast the database answers. */
const LIVE = "/api/health/live";

/** Sends the headers of a browser, which `fetch` does not let one choose. */
async function open(path: string, headers: OutgoingHttpHeaders, { method = "GET", url = server.url } = {}) {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, location: response.headers.location };
}

describe("a server on this machine", () => {
  it.each(["/", "/login", "/login/link?token=x&next=%2Ftraces", "//example.com", "/traces/unknown?a=b"])(
    "sends a browser that opens %s by another name of the machine to the name that has the session cookie",
    async (path) => {
      const redirected = { status: 307, location: `http://localhost:${port}${path}` };
      expect(await open(path, NAVIGATION)).toEqual(redirected);
      expect(await open(path, { ...NAVIGATION, host: `[::1]:${port}` })).toEqual(redirected);
    },
  );

  it("responds under every name to requests that do not open a page", async () => {
    expect(await open(LIVE, {})).toMatchObject({ status: 200, location: undefined });
    expect(await open(LIVE, { "sec-fetch-mode": "cors" })).toMatchObject({ status: 200 });
    expect(await open("/api/auth/logout", NAVIGATION, { method: "POST" })).toMatchObject({ status: 401 });
    const host = `localhost:${port}`;
    expect(await open(LIVE, { ...NAVIGATION, host })).toMatchObject({ status: 200 });
  });

  it.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "[", "127.0.0.1.evil.example"])(
    "does not redirect a request for the host %s",
    async (host) => {
      const { location } = await open(LIVE, { ...NAVIGATION, host });
      expect(location).toBe(undefined);
    },
  );

  it("does not redirect if its public URL is that of another machine", async () => {
    const { url } = elsewhere.server;
    expect(await open(LIVE, NAVIGATION, { url })).toMatchObject({ status: 200 });
  });
});

import { connect } from "node:net";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Client, SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
let client: Client;
let user: SignedInUser;
beforeAll(async () => {
  booted = await boot({
    PUBLIC_URL: "https://whytrace.example",
    ALLOWED_ORIGINS: "https://console.example, http://localhost:8080",
    METRICS_TOKEN: "scrape",
  });
  client = booted.client;
  const plain = await boot({ DATABASE_URL: booted.databaseUrl });
  user = await plain.client.newUser();
});

/** Sends raw bytes, which an HTTP client would reject. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname);
  let response = "";
  socket.setEncoding("utf8").on("data", (part) => {
    response += part;
  });
  // The server may close the connection before it has read everything, which resets it behind the response.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(bytes);
  await closed;
  return response;
}

describe("every error is { error }", () => {
  it.each([
    ["GET", "/nowhere", 404, "Not found"],
    ["GET", "/api/nowhere", 404, "Not found"],
    ["PUT", "/api/keys", 404, "Not found"],
    ["GET", "/%zz", 400, "Malformed URL"],
    ["DELETE", `/api/keys/${"x".repeat(9_000)}`, 414, "URL too long"],
  ])("%s %s is %i", async (method, path, status, error) => {
    const response = await client.request(method, path);
    expect([response.status, response.json]).toEqual([status, { error }]);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  });

  it.each(["/api/nowhere", "/v1/nowhere", "/mcp/nowhere"])(
    "GET %s is, even if a page is accepted",
    async (path) => {
      const response = await client.request("GET", path, { headers: { accept: "text/html" } });
      expect([response.status, response.json]).toEqual([404, { error: "Not found" }]);
    },
  );

  it("an unknown URL is 404 before its body is read", async () => {
    const response = await client.post("/api/nowhere", undefined, {
      raw: "{",
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(404);
  });

  it.each([
    ["broken JSON", "{", "application/json", 400, "Invalid JSON in request body"],
    ["a form", "email=a", "application/x-www-form-urlencoded", 415, "Content-Type must be application/json"],
    ["plain text", "{}", "text/plain", 415, "Content-Type must be application/json"],
    ["a body over 64 KiB", `"${"x".repeat(65_536)}"`, "application/json", 413, "Request body too large"],
    ["no body", "", "application/json", 400, expect.any(String)],
    ["a JSON null", "null", "application/json", 400, expect.any(String)],
  ])("%s", async (_, body, contentType, status, error) => {
    const response = await client.post("/api/auth/login", undefined, {
      raw: body,
      headers: { "content-type": contentType },
    });
    expect([response.status, response.json]).toEqual([status, { error }]);
  });

  it("oversized headers are 431 and malformed HTTP is 400, as JSON", async () => {
    const large = await raw(`GET / HTTP/1.1\r\nhost: x\r\nx-large: ${"x".repeat(40_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1.1 431 .*\{"error":"Request headers too large"\}$/s);
    expect(await raw("this is not HTTP\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 .*\{"error":"Malformed HTTP request"\}$/s,
    );
  });

  it("keys such as __proto__ are plain data in a body", async () => {
    const raw =
      '{"email":"a@example.test","password":"0123456789","__proto__":{"email":"x"},"constructor":1}';
    const response = await client.post("/api/auth/login", undefined, {
      raw,
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(401);
  });

  it("the response names a field that is missing or of the wrong type", async () => {
    const { json } = await client.post("/api/auth/login", { email: "ada@example.test" });
    expect(json).toEqual({ error: "password: is required" });
  });

  it("a NUL in a path is 400", async () => {
    expect((await user.delete("/api/keys/%00")).status).toBe(400);
  });
});

describe("headers", () => {
  it("every response has a strict policy and a request id, including errors", async () => {
    for (const path of ["/api/health", "/api/nowhere", "/api/%zz"]) {
      const { headers } = await client.get(path);
      expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

it("API responses are not cached", async () => {
  expect((await client.get("/api/health")).headers.get("cache-control")).toBe("no-store");
  // However the address is written.
  expect((await client.get("/%61pi/traces")).headers.get("cache-control")).toBe("no-store");
});

/** The dashboard in development. */
const LOCAL_ORIGINS = ["localhost", "127.0.0.1"].flatMap((host) =>
  [3000, 5173].map((port) => `http://${host}:${port}`),
);

describe("a server whose public address is this machine", () => {
  it.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])(
    "%s allows the origins of development to read and write",
    async (PUBLIC_URL) => {
      const local = await boot({ PUBLIC_URL });
      const owner = await local.client.newUser();
      for (const origin of LOCAL_ORIGINS) {
        const response = await owner.request("POST", "/api/keys", {
          body: { name: "x" },
          headers: { origin },
        });
        expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([201, origin]);
      }
    },
  );
});

describe("reading from another origin", () => {
  const origins = ["https://whytrace.example", "https://console.example", "http://localhost:8080"];
  it.each(origins)("is allowed for %s", async (origin) => {
    const response = await client.get("/api/health", { headers: { origin } });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("vary")).toMatch(/origin/i);
  });

  it.each([
    "https://evil.example",
    "null",
    ...LOCAL_ORIGINS,
    "http://localhost:3001",
    "https://localhost:3000",
    "https://whytrace.example.evil.example",
    "https://whytrace.example:444",
    "http://whytrace.example",
    "",
  ])("is blocked for %j", async (origin) => {
    const preflight = { origin, "access-control-request-method": "POST" };
    for (const response of [
      await client.get("/api/health", { headers: { origin } }),
      await client.request("OPTIONS", "/api/keys", { headers: preflight }),
    ])
      expect(response.headers.get("access-control-allow-origin")).toBe(null);
  });

  it("has a successful preflight for an allowed origin", async () => {
    const response = await client.request("OPTIONS", "/api/keys/x", {
      headers: { origin: "https://console.example", "access-control-request-method": "DELETE" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain("DELETE");
  });
});

describe("a request with the cookie", () => {
  it.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
  ])("from another site is 403: %j", async (headers) => {
    const response = await user.request("POST", "/api/keys", { raw: '{"name":"x"}', headers });
    expect(response.status).toBe(403);
    expect(Object.keys(response.json)).toEqual(["error"]);
  });

  it.each([
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
  ])(
    "from an allowed origin or without browser headers is accepted: %j",
    async (headers: Record<string, string>) => {
      expect((await user.request("POST", "/api/keys", { body: { name: "x" }, headers })).status).toBe(201);
    },
  );

  it("from a page on the visitor's own machine is 403 on a server with a public address", async () => {
    const visitor = await client.newUser();
    for (const origin of LOCAL_ORIGINS) {
      const response = await visitor.request("POST", "/api/keys", {
        body: { name: "x" },
        headers: { origin },
      });
      expect(response.status).toBe(403);
    }
    const own = { origin: "https://whytrace.example" };
    const allowed = await visitor.request("POST", "/api/keys", { body: { name: "x" }, headers: own });
    expect(allowed.status).toBe(201);
  });

  it("from another site is accepted if it only reads", async () => {
    expect((await user.get("/api/keys", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(200);
  });
});

describe("operation", () => {
  it("health returns the version, the state of the database, and its settings that put stored traces at risk", async () => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`.execute(
      booted.db,
    );
    const unsafeSettings = rows.map(({ name }) => name);
    const checks = { database: "ok", ...(unsafeSettings.length > 0 && { unsafeSettings }) };
    // The check waits less than a second for the database, which a slow machine can miss.
    const health = async () => {
      const { status, json } = await client.get("/api/health");
      return [status, json];
    };
    await expect
      .poll(health)
      .toEqual([200, { status: "ok", version: expect.stringMatching(/^\d+\.\d+\.\d+/), checks }]);
    expect((await client.get("/api/health/live")).json).toEqual({ status: "ok" });
  });

  it("metrics require the token, and are 404 if none is configured", async () => {
    const { client: without } = await boot({ DATABASE_URL: booted.databaseUrl });
    expect((await without.get("/metrics", { headers: { authorization: "Bearer " } })).status).toBe(404);
    expect((await client.get("/metrics")).status).toBe(401);
    expect((await client.get("/metrics", { headers: { authorization: "Bearer scrapf" } })).status).toBe(401);
    const { status, text, headers } = await client.get("/metrics", {
      headers: { authorization: "Bearer scrape" },
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    expect(text).toContain(
      'whytrace_http_request_duration_seconds_count{method="GET",route="/api/health",status="200"}',
    );
    expect(text).toContain("whytrace_database_connections");
  });
});

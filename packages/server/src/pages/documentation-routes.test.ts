import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { App } from "../http/app-instance.ts";
import { handleErrors } from "../http/handle-errors.ts";
import { documentationRoutes } from "./documentation-routes.ts";

let folder: string;
let app: App;

beforeAll(async () => {
  folder = `${await mkdtemp(join(tmpdir(), "whytrace-docs-"))}/`;
  for (const name of ["assets", "operating", "files/deploy/nginx"])
    await mkdir(join(folder, name), { recursive: true });
  const files = {
    "index.html": "<h1>Start</h1>",
    "sdk.html": "<h1>SDK</h1>",
    "sdk.md": "# SDK",
    "llms.txt": "# Whytrace",
    "operating.html": "<h1>Operating</h1>",
    "operating/backup.html": "<h1>Backup</h1>",
    "assets/site-0123.js": "export {};",
    "files/deploy/nginx/whytrace.conf": "server {}",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  app = Fastify().withTypeProvider();
  handleErrors(app);
  await documentationRoutes(app, folder);
});
afterAll(() => rm(folder, { recursive: true }));

describe("the documentation", () => {
  it.each([
    ["/docs", "<h1>Start</h1>", "text/html"],
    ["/docs/sdk", "<h1>SDK</h1>", "text/html"],
    ["/docs/sdk.md", "# SDK", "text/markdown"],
    ["/docs/operating", "<h1>Operating</h1>", "text/html"],
    ["/docs/operating/backup", "<h1>Backup</h1>", "text/html"],
    ["/llms.txt", "# Whytrace", "text/plain"],
    ["/docs/llms.txt", "# Whytrace", "text/plain"],
    ["/docs/files/deploy/nginx/whytrace.conf", "server {}", "text/plain"],
  ])("%s answers with its file, to be revalidated", async (url, body, type) => {
    const response = await app.inject(url);
    expect([response.statusCode, response.body]).toEqual([200, body]);
    expect(response.headers["content-type"]).toBe(`${type}; charset=utf-8`);
    expect(response.headers["cache-control"]).toBe("no-cache");
  });

  it("sends scripts and styles to be kept for ever, and leads /docs/ to /docs", async () => {
    const script = await app.inject("/docs/assets/site-0123.js");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const redirect = await app.inject("/docs/");
    expect([redirect.statusCode, redirect.headers.location]).toEqual([302, "/docs"]);
  });

  it.each(["/docs/nothing", "/docs/../package.json", "/docs/%2e%2e/package.json", "/docs/files/"])(
    "%s is not found",
    async (url) => {
      expect((await app.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  it("says that it is not built, where it is not", async () => {
    const bare: App = Fastify().withTypeProvider();
    handleErrors(bare);
    await documentationRoutes(bare, "");
    expect((await bare.inject("/docs")).json()).toEqual({
      error: "The documentation is not built. Run npm run build.",
    });
  });
});

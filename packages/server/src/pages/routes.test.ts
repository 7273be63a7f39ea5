import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import type { App } from "../http/app-instance.ts";
import { handleErrors } from "../http/handle-errors.ts";
import { pageRoutes } from "./routes.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

/** A server with a build of the dashboard that has one chunk. */
async function serve(chunk: string): Promise<App> {
  const folder = `${await mkdtemp(join(tmpdir(), "whytrace-pages-"))}/`;
  folders.push(folder);
  await mkdir(`${folder}assets`);
  await writeFile(`${folder}index.html`, `<script src="/assets/${chunk}"></script>`);
  await writeFile(`${folder}assets/${chunk}`, "export {};");
  const app: App = Fastify().withTypeProvider();
  handleErrors(app);
  await pageRoutes(app, { guard: async () => {}, isPublic: () => false, folder });
  return app;
}

describe("two versions of the dashboard behind one address", () => {
  it("each send their own chunks to be cached for ever, and pages to be revalidated", async () => {
    const app = await serve("page-old.js");
    const chunk = await app.inject("/assets/page-old.js");
    expect([chunk.statusCode, chunk.headers["cache-control"]]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    const page = await app.inject("/login");
    expect([page.statusCode, page.headers["cache-control"]]).toEqual([200, "no-cache"]);
  });

  it("answer a chunk of the other version with a 404 that nothing caches", async () => {
    const app = await serve("page-new.js");
    for (const url of [
      "/assets/page-old.js",
      "/assets/",
      "/assets/../index.html",
      "/assets/%2e%2e/index.html",
    ]) {
      const response = await app.inject(url);
      expect(response.statusCode, url).toBeGreaterThanOrEqual(400);
      expect(response.headers["cache-control"], url).toBe("no-store");
      expect(response.json(), url).toEqual({ error: expect.any(String) });
    }
  });
});

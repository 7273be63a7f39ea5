import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import type { TestPostgres } from "./postgres/start-test-postgres.ts";

/**
 * Vitest runs test files in several processes. The first file that needs a database asks for it here, so that a run of tests
 * without a database starts none.
 */
export default async function setup(project: TestProject) {
  let starting: Promise<TestPostgres> | undefined;
  const server = createServer(async (_request, response) => {
    starting ??= import("./postgres/start-test-postgres.ts").then(({ startTestPostgres }) =>
      startTestPostgres(),
    );
    try {
      const { adminUrl, templateName } = await starting;
      response.end(JSON.stringify({ adminUrl, templateName }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("testPostgresUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async () => {
    server.close();
    server.closeAllConnections();
    const postgres = await starting?.catch(() => undefined);
    await postgres?.stop();
  };
}

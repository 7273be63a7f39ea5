import { rm } from "node:fs/promises";
import { type EmbeddedServer, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { killPostgres } from "./kill-postgres.ts";

/** A PostgreSQL that a trial can kill with SIGKILL and restart on the same data. */
export class KillablePostgres {
  readonly url: string;
  readonly #server: EmbeddedServer;
  #isUp = true;

  private constructor(server: EmbeddedServer) {
    this.#server = server;
    this.url = server.url;
  }

  static async start(settings: string[] = []): Promise<KillablePostgres> {
    return new KillablePostgres(await startEmbeddedPostgres(settings.flatMap((one) => ["-c", one])));
  }

  async kill(): Promise<void> {
    this.#isUp = false;
    await killPostgres(this.#server.databaseDir);
  }

  async restart(): Promise<void> {
    await this.#server.start();
    this.#isUp = true;
  }

  async stop(): Promise<void> {
    if (this.#isUp) return this.#server.stop();
    await rm(this.#server.databaseDir, { recursive: true, force: true });
  }
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { appendFile, chown, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import type { DebianPackages } from "./debian-packages.ts";

const run = promisify(execFile);
const DEPLOY = new URL("../../../deploy/backup/", import.meta.url);
/** PostgreSQL refuses to run as root; `nobody` exists on every Debian. */
const NOBODY = 65_534;
const OWNER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PostgreSQL whose log pgBackRest archives, with the files in deploy/backup/. */
export class ArchivedPostgres {
  readonly url: string;
  readonly #folder: string;
  readonly #packages: DebianPackages;
  readonly #port: number;
  #dataDir: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, packages: DebianPackages, port: number) {
    this.#folder = folder;
    this.#packages = packages;
    this.#port = port;
    this.#dataDir = join(folder, "data");
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Creates it without an archive, so that it can be filled quickly. */
  static async create(folder: string, packages: DebianPackages): Promise<ArchivedPostgres> {
    const postgres = new ArchivedPostgres(folder, packages, await freePort());
    for (const name of ["data", "restored", "repository", "log"]) {
      await mkdir(join(folder, name), { mode: 0o700 });
      if (OWNER.uid !== undefined) await chown(join(folder, name), OWNER.uid, OWNER.gid);
    }
    await postgres.#run(packages.find("/usr/lib/postgresql/*/bin/initdb"), [
      ...["-D", postgres.#dataDir, "-U", "postgres", "--auth=trust", "--data-checksums", "--encoding=UTF8"],
    ]);
    await postgres.start(["wal_level=minimal", "max_wal_senders=0", "max_wal_size=8GB"]);
    return postgres;
  }

  async start(settings: string[] = []): Promise<void> {
    const log = openSync(join(this.#folder, "postgres.log"), "a");
    const all = [
      `port=${this.#port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#dataDir}`,
      ...settings,
    ];
    this.#process = spawn(
      this.#packages.find("/usr/lib/postgresql/*/bin/postgres"),
      ["-D", this.#dataDir, ...all.flatMap((setting) => ["-c", setting])],
      { env: this.#env, stdio: ["ignore", log, log], ...OWNER },
    );
    while (!(await this.#acceptsWrites())) {
      if (this.#process.exitCode !== null)
        throw new Error(readFileSync(join(this.#folder, "postgres.log"), "utf8").slice(-2_000));
      await sleep(50);
    }
  }

  async #acceptsWrites(): Promise<boolean> {
    return execute(this.url, "select pg_is_in_recovery() as is_standby").then(
      ({ rows }) => !rows[0].is_standby,
      () => false,
    );
  }

  /** Shuts down as a machine does: open transactions end, and the rest of the log is archived. */
  async stop(): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGINT");
    await once(this.#process, "exit");
  }

  /** Restarts it with an archive and a repository on disk. */
  async archive(): Promise<void> {
    await this.stop();
    const text = readFileSync(new URL("pgbackrest.conf", DEPLOY), "utf8")
      .replaceAll("CIPHER_PASSWORD", "trial")
      .replaceAll("/var/lib/pgbackrest", join(this.#folder, "repository"))
      .replaceAll("/var/log/pgbackrest", join(this.#folder, "log"))
      .replaceAll("/tmp/pgbackrest", join(this.#folder, "log"))
      .replaceAll("/var/lib/postgresql/15/main", this.#dataDir)
      .replaceAll("/var/run/postgresql", `${this.#dataDir}\npg1-port=${this.#port}\npg1-user=postgres`);
    await writeFile(join(this.#folder, "pgbackrest.conf"), text);
    await appendFile(
      join(this.#dataDir, "postgresql.conf"),
      readFileSync(new URL("archive.conf", DEPLOY), "utf8"),
    );
    await this.start();
    await this.pgbackrest("stanza-create");
    await this.pgbackrest("check");
  }

  /** Runs a command as the guide does, as the user of PostgreSQL. */
  pgbackrest(...args: string[]): Promise<string> {
    return this.#run("pgbackrest", ["--stanza=whytrace", ...args]);
  }

  /** Restores the state of a point in time into an empty folder, and starts PostgreSQL there. */
  async restore(target: Date): Promise<void> {
    this.#dataDir = join(this.#folder, "restored");
    const time = target.toISOString().replace("T", " ").replace("Z", "+00");
    await this.pgbackrest(
      `--pg1-path=${this.#dataDir}`,
      ...["--type=time", `--target=${time}`, "--target-action=promote", "restore"],
    );
    // The restored PostgreSQL would write its log into the archive of the other one.
    await this.start(["archive_mode=off"]);
  }

  async #run(file: string, args: string[]): Promise<string> {
    const { stdout } = await run(file, args, { env: this.#env, cwd: this.#folder, ...OWNER });
    return stdout;
  }

  get #env() {
    return {
      ...this.#packages.env,
      PATH: `${dirname(this.#packages.find("/usr/bin/pgbackrest"))}:${process.env.PATH}`,
      PGBACKREST_CONFIG: join(this.#folder, "pgbackrest.conf"),
    };
  }
}

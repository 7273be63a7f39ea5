import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import { killPostgres } from "@whytrace/testing/postgres/kill-postgres.ts";
import type { DebianPackages } from "./debian-packages.ts";

const run = promisify(execFile);
const DEPLOY = new URL("../../../deploy/high-availability/", import.meta.url);
const NODES = ["a", "b", "c"] as const;
const HEALTHY_WITHIN_MS = 180_000;
/** PostgreSQL refuses to run as root; `nobody` exists on every Debian. */
const NOBODY = 65_534;

type NodeName = (typeof NODES)[number];

interface Member {
  name: NodeName;
  role: "leader" | "sync_standby" | "replica";
  state: string;
}

/**
 * Three machines with etcd, Patroni and PostgreSQL, and an HAProxy, from the files in deploy/high-availability/. Each machine
 * is a folder and an address of the loopback network, so the ports are those of the files.
 */
export class PatroniCluster {
  /** The superuser's URL through HAProxy. */
  readonly url: string;
  readonly #folder: string;
  readonly #packages: DebianPackages;
  readonly #haproxyPort: number;
  /** The first three bytes of the machines' addresses. */
  readonly #network = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`;
  readonly #passwords = new Map(
    ["RESTAPI_PASSWORD", "SUPERUSER_PASSWORD", "REPLICATION_PASSWORD"].map((name) => [
      name,
      randomBytes(12).toString("hex"),
    ]),
  );
  readonly #processes = new Map<string, ChildProcess>();

  constructor(folder: string, packages: DebianPackages, haproxyPort: number) {
    this.#folder = folder;
    this.#packages = packages;
    this.#haproxyPort = haproxyPort;
    this.url = `postgres://postgres:${this.#passwords.get("SUPERUSER_PASSWORD")}@127.0.0.1:${haproxyPort}/postgres`;
  }

  static async create(folder: string, packages: DebianPackages): Promise<PatroniCluster> {
    return new PatroniCluster(folder, packages, await freePort());
  }

  async start(): Promise<void> {
    for (const name of NODES) {
      await this.#write(`${name}/etcd.env`, name);
      await this.#write(`${name}/patroni.yml`, name);
      await mkdir(join(this.#folder, name, "sockets"));
    }
    await this.#write("haproxy.cfg");
    if (process.getuid?.() === 0)
      await run("chown", ["-R", `${NOBODY}:${NOBODY}`, ...NODES.map((name) => join(this.#folder, name))]);
    for (const name of NODES) this.#startEtcd(name);
    for (const name of NODES) this.#startPatroni(name);
    this.#spawn("haproxy", [
      this.#packages.find("/usr/sbin/haproxy"),
      "-db",
      "-f",
      this.#path("haproxy.cfg"),
    ]);
    await this.waitUntilHealthy();
  }

  /** Copies a file of deploy/ with the names, addresses, passwords and folders of this cluster. */
  async #write(path: string, node?: NodeName): Promise<void> {
    const source = readFileSync(new URL(path.split("/").at(-1) ?? path, DEPLOY), "utf8");
    const binDir = dirname(this.#packages.find("/usr/lib/postgresql/*/bin/postgres"));
    let text = source
      .replaceAll("10.0.0.0/24", "127.0.0.0/8")
      .replaceAll("10.0.0.", `${this.#network}.`)
      .replaceAll("127.0.0.1:5000", `127.0.0.1:${this.#haproxyPort}`)
      .replaceAll("/usr/lib/postgresql/15/bin", binDir);
    for (const [name, password] of this.#passwords) text = text.replaceAll(name, password);
    if (node)
      text = text
        .replaceAll("NODE", node)
        .replaceAll("ADDRESS", this.#address(node))
        .replaceAll("/var/lib/postgresql/15/whytrace", this.#dataDir(node))
        .replaceAll("/var/lib/etcd/default", this.#path(`${node}/etcd`))
        .replaceAll("/var/run/postgresql", this.#path(`${node}/sockets`));
    await mkdir(dirname(this.#path(path)), { recursive: true });
    await writeFile(this.#path(path), text);
  }

  #path = (path: string) => join(this.#folder, path);
  #dataDir = (node: NodeName) => this.#path(`${node}/data`);
  #address = (node: NodeName) => `${this.#network}.1${NODES.indexOf(node) + 1}`;

  #startEtcd(node: NodeName) {
    const lines = readFileSync(this.#path(`${node}/etcd.env`), "utf8").matchAll(/^(ETCD_\w+)=(.*)$/gm);
    const settings = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
    this.#spawn(`${node}/etcd`, [this.#packages.find("/usr/bin/etcd")], settings);
  }

  #startPatroni(node: NodeName) {
    this.#spawn(`${node}/patroni`, [
      this.#packages.find("/usr/bin/patroni"),
      this.#path(`${node}/patroni.yml`),
    ]);
  }

  #spawn(name: string, [file = "", ...args]: string[], env: Record<string, string | undefined> = {}) {
    const log = openSync(this.#path(`${name}.log`), "a");
    const child = spawn(file, args, {
      env: { ...this.#packages.env, HOME: dirname(this.#path(name)), ...env },
      stdio: ["ignore", log, log],
      ...(process.getuid?.() === 0 && name !== "haproxy" && { uid: NOBODY, gid: NOBODY }),
    });
    this.#processes.set(name, child);
  }

  /** The machines as a running Patroni sees them; none while no Patroni answers. */
  async members(): Promise<Member[]> {
    for (const node of NODES) {
      const response = await fetch(`http://${this.#address(node)}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async leader(): Promise<NodeName | undefined> {
    return (await this.members()).find(({ role }) => role === "leader")?.name;
  }

  /** Waits for a leader and two standbys that follow it, one of them synchronous. */
  async waitUntilHealthy(): Promise<void> {
    const deadline = performance.now() + HEALTHY_WITHIN_MS;
    for (;;) {
      const members = await this.members();
      const roles = members.filter(({ state }) => state === "running" || state === "streaming");
      const isHealthy = ["leader", "sync_standby", "replica"].every((role) =>
        roles.some((member) => member.role === role),
      );
      if (isHealthy) return;
      if (performance.now() > deadline)
        throw new Error(`not healthy after 180 s: ${JSON.stringify(members)}\n${this.#lastLogLines()}`);
      await sleep(200);
    }
  }

  #lastLogLines(): string {
    const logs = [...this.#processes.keys()].map((name) => {
      const lines = readFileSync(this.#path(`${name}.log`), "utf8")
        .trimEnd()
        .split("\n");
      return `${name}:\n${lines.slice(-8).join("\n")}`;
    });
    return logs.join("\n");
  }

  /** Makes the synchronous standby the primary, as an operator does before maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const config = this.#path(`${leader}/patroni.yml`);
    await run(
      this.#packages.find("/usr/bin/patronictl"),
      ["-c", config, "switchover", "whytrace", "--leader", leader ?? "", "--force"],
      { env: { ...this.#packages.env, HOME: this.#folder } },
    );
  }

  /** Kills every process of the primary's PostgreSQL with SIGKILL. Its Patroni keeps running. */
  async killPrimary(): Promise<void> {
    const leader = await this.leader();
    if (leader) await killPostgres(this.#dataDir(leader));
  }

  /** Kills everything on the primary's machine with SIGKILL; returns what starts the machine again. */
  async killMachine(): Promise<() => void> {
    const leader = await this.leader();
    if (!leader) throw new Error("there is no leader");
    await Promise.all([
      this.#kill(`${leader}/patroni`),
      this.#kill(`${leader}/etcd`),
      killPostgres(this.#dataDir(leader)),
    ]);
    return () => {
      this.#startEtcd(leader);
      this.#startPatroni(leader);
    };
  }

  async #kill(name: string): Promise<void> {
    const child = this.#processes.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async stop(): Promise<void> {
    // Patroni first: it would start PostgreSQL again.
    for (const node of NODES) await this.#kill(`${node}/patroni`);
    for (const node of NODES) await killPostgres(this.#dataDir(node));
    for (const name of this.#processes.keys()) await this.#kill(name);
  }
}

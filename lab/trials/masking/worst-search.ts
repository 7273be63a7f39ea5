// Searches for own patterns, texts and bodies that cost the server most: it changes what was costliest so far, and sends it as one tenant
// over 40 connections while another tenant sends and reads small things. Passes if the other tenant is never refused and its p99 is at most
// twice that of a quiet time just before, no turn of the event loop takes more than 100 ms of CPU, and memory stays within 1 GiB. Prints the
// worst attacks; `--attack '{…}'` sends one of them again.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { percentile } from "@whytrace/testing/percentile.ts";
import { DEFAULT_LIMITS } from "@whytrace/testing/server/unlimited.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { processCpuMs } from "../../bench/measure/cpu-time.ts";
import { type Attack, DOORS, mutateAttack, randomAttack, rulesOf } from "../support/hostile/attack.ts";
import { startAttack } from "../support/hostile/start-attack.ts";
import { searchPatterns } from "../support/hostile/worst-patterns.ts";
import { Neighbour } from "../support/neighbour.ts";
import { peakRssMib, resetPeakRss } from "../support/process-memory.ts";
import { longestTurnMs, WATCHED_TURNS } from "../support/turn-watch.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    attack: { type: "string" },
  },
});
const MINUTE_MS = 60_000;
const TOTAL_MS = Number(flags.minutes) * MINUTE_MS;
const PATTERNS_SHARE = 0.2;
const CONNECTIONS = 40;
const WARM_UP_MS = 3_000;
const ALONE_MS = 4_000;
const ATTACK_MS = 15_000;
const MAX_REST_MS = 15_000;
const LOOK_MS = 500;
/** CPU that the server may take in a look beyond what it takes for the other tenant. */
const MAX_RESTING_CPU_MS = 60;
/** What is over a limit is sent again: the machine may have done something else. */
const ROUNDS = 3;
const CHANGED_SHARE = 0.7;
/** docs/configuration.md names the memory of a process with the default settings. */
const LIMITS = { p99Ratio: 2, turnMs: 100, rssMib: 1_024, refused: 0 };
const UNITS = {
  p99Ratio: "times the p99",
  turnMs: "ms for a turn",
  rssMib: "MiB",
  refused: "requests of the other tenant refused",
};

type Figures = Record<keyof typeof LIMITS, number>;
const NAMES = Object.keys(LIMITS) as (keyof Figures)[];
interface Tried {
  attack: Attack;
  figures: Figures;
}

/** What others have found. */
const plain: Omit<Attack, "door"> = {
  patterns: [],
  copies: 1,
  method: "replace",
  tokenLength: 100,
  text: { letters: "ab", seed: 1, unitLength: 1_000 },
  filling: "text",
  sizeKib: 48,
  isCompressed: false,
};
const far = (letter: string) => ({ sequence: [letter, { repeated: "\\pL", range: "{0,200}" }] });
const FAR_AHEAD = { sequence: [{ anyCase: { sequence: [far("a"), far("b")] } }, "[!?]"] };
const FIRST: Attack[] = [
  { ...plain, door: "otlp", filling: "blanks", sizeKib: 64_000, isCompressed: true },
  { ...plain, door: "test", patterns: [FAR_AHEAD] },
  { ...plain, door: "traces", patterns: ["a"], sizeKib: 1_000, isCompressed: true },
];

await runTrial(async (onCleanup) => {
  const startedAt = performance.now();
  const random = new Random(Number(flags.seed));
  const given: Attack[] = flags.attack ? [JSON.parse(flags.attack)] : [];
  const { patterns, tried: triedPatterns } = searchPatterns(
    random,
    given.length > 0 ? 0 : PATTERNS_SHARE * TOTAL_MS,
  );
  for (const { pattern, ms } of patterns.slice(0, 3))
    console.log(`${ms.toFixed(0)} ms for a text or to compile: ${pattern}`);

  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  let running = await start();
  onCleanup(() => stop());
  const other = await newTenant(running.server.url, database.url, LARGE_PLAN);
  let neighbour = await watch();

  const best = new Map<Attack["door"], Tried>();
  const worst = new Map<keyof Figures, Tried>();
  const trees = patterns.map(({ tree }) => tree);
  const next = (tried: number): Attack => {
    const first = (given.length > 0 ? given : FIRST)[tried];
    const door = DOORS[tried % DOORS.length] ?? "traces";
    const known = best.get(door);
    if (first) return first;
    return known && random.chance(CHANGED_SHARE)
      ? mutateAttack(random, known.attack, trees)
      : randomAttack(random, door, trees);
  };
  /** What both tenants saw of the attack that was sent last. */
  let lastSeen = "";
  let tried = 0;
  let refusedRules = 0;
  const isOver = () => (given.length > 0 ? tried === 1 : performance.now() - startedAt > TOTAL_MS);
  for (; !isOver(); tried += 1) {
    const attack = next(tried);
    const figures = await leastFigures(attack);
    if (!figures) {
      refusedRules += 1;
      continue;
    }
    const known = best.get(attack.door);
    if (!known || scoreOf(figures) > scoreOf(known.figures)) best.set(attack.door, { attack, figures });
    for (const name of NAMES)
      if (figures[name] > (worst.get(name)?.figures[name] ?? 0)) worst.set(name, { attack, figures });
    console.log(
      `${isOverLimit(figures) ? "TOO MUCH " : ""}${described(figures)}; ${lastSeen}; ${JSON.stringify(attack)}`,
    );
  }
  console.log(
    `\nseed ${flags.seed}: ${triedPatterns} patterns and ${tried} attacks tried, ${refusedRules} with rules that were refused`,
  );
  for (const [name, { attack, figures }] of worst)
    console.log(
      `worst ${name}: ${figures[name].toFixed(1)} ${UNITS[name]} (limit ${LIMITS[name]}), of ${JSON.stringify(attack)}`,
    );
  return [...worst.values()].every(({ figures }) => !isOverLimit(figures));

  async function start() {
    const server = await startTrialServer(database.url, {
      ...DEFAULT_LIMITS,
      ...WATCHED_TURNS,
    });
    return { server, pid: server.child.pid ?? 0, restingCpuMs: 0 };
  }

  async function watch() {
    const { server, pid } = running;
    const { url } = server;
    const watching = new Neighbour({ url, key: other.key, cookie: other.user.cookie ?? "" });
    await watching.during(() => sleep(WARM_UP_MS));
    running.restingCpuMs = (await cpuMsOfLook(pid)) + MAX_RESTING_CPU_MS;
    return watching;
  }

  async function stop() {
    await neighbour?.stop();
    await killServer(running.server);
  }

  async function restart() {
    await stop();
    running = await start();
    neighbour = await watch();
  }

  /** The least of each figure, sent again while any is too much. Undefined if the rules cannot be saved. */
  async function leastFigures(attack: Attack): Promise<Figures | undefined> {
    let least: Figures | undefined;
    for (let attempt = 0; attempt < ROUNDS && (!least || isOverLimit(least)); attempt += 1) {
      const figures = await play(attack);
      if (!figures) return least;
      const before = least ?? figures;
      least = { ...figures };
      for (const name of NAMES) least[name] = Math.min(figures[name], before[name]);
    }
    return least;
  }

  async function play(attack: Attack): Promise<Figures | undefined> {
    const { server, pid, restingCpuMs } = running;
    const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
    const isSaved = attack.door === "traces" || attack.door === "otlp";
    const rules = rulesOf(attack);
    if (isSaved && rules.length > 0) {
      const { version, level } = (await user.get("/api/masking")).json;
      const { status } = await user.put("/api/masking", { version, level, rules });
      if (status !== 200) return undefined;
    }
    await rest(pid, restingCpuMs);
    const { seen: alone } = await neighbour.during(() => sleep(ALONE_MS));
    const stopAttack = await startAttack({
      url: server.url,
      key,
      cookie: user.cookie ?? "",
      connections: CONNECTIONS,
      attack,
    });
    resetPeakRss(pid);
    server.lines.length = 0;
    const { seen } = await neighbour.during(() => sleep(ATTACK_MS));
    const [p99Ms, aloneMs] = [seen, alone].map(({ workMs }) => percentile(workMs, 0.99)) as [number, number];
    lastSeen = `last p99 ${p99Ms.toFixed(1)} ms after ${aloneMs.toFixed(1)}; ${await stopAttack()}`;
    const hasEnded = server.child.exitCode !== null || server.child.signalCode !== null;
    const figures: Figures = {
      p99Ratio: p99Ms / aloneMs,
      turnMs: longestTurnMs(server.lines),
      rssMib: hasEnded ? Number.POSITIVE_INFINITY : peakRssMib(pid),
      refused: seen.refused.length,
    };
    // The memory that it leaves would count for the next one.
    if (hasEnded || figures.rssMib > LIMITS.rssMib / 2) await restart();
    else await rest(pid, restingCpuMs);
    return figures;
  }
});

async function cpuMsOfLook(pid: number): Promise<number> {
  const before = processCpuMs(pid);
  await sleep(LOOK_MS);
  return processCpuMs(pid) - before;
}

/** Waits until the server does nothing but what the other tenant asks for. */
async function rest(pid: number, restingCpuMs: number) {
  const end = performance.now() + MAX_REST_MS;
  while ((await cpuMsOfLook(pid)) > restingCpuMs && performance.now() < end);
}

function scoreOf(figures: Figures): number {
  return Math.max(...NAMES.map((name) => figures[name] / Math.max(1, LIMITS[name])));
}

function isOverLimit(figures: Figures): boolean {
  return NAMES.some((name) => figures[name] > LIMITS[name]);
}

function described(figures: Figures): string {
  return NAMES.map((name) => `${figures[name].toFixed(1)} ${UNITS[name]}`).join(", ");
}

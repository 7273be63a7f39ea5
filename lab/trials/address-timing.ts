// Compares response times for known and unknown email addresses on register, login, forgot-password and the lookup and the acceptance of
// invitations, with a two-sided Mann-Whitney test. Sign-in tries one unknown address again and again, as it tries one known: the rate limit of an
// address is counted the second time in a row that is there. Passes if p ≥ 0.05 / 5 for each endpoint (Bonferroni correction for five tests).
import { randomUUID } from "node:crypto";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import { createTrialDatabase, killServer, runTrial, startTrialServer } from "@whytrace/testing/trial.ts";

const CALLS = Number(process.argv[2] ?? 300);
const PASSWORD = "correct horse battery staple";
const NOBODY = `nobody-${randomUUID()}@example.test`;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const client = new Client(server.url);
  const known = await client.newUser();

  /** The links of an invitation of each kind of address. */
  const inviter = await client.newUser();
  await execute(database.url, `update users set email_verified_at = now() where id = '${inviter.userId}'`);
  const linkFor = async (email: string): Promise<string> =>
    (await inviter.post("/api/invitations", { email })).json.url;
  const links = { known: await linkFor(known.email), unknown: await linkFor(`${randomUUID()}@example.test`) };
  const tokenFor = (email: string) =>
    new URL(email === known.email ? links.known : links.unknown).searchParams.get("token");
  /** Somebody else holds the links. */
  const holder = await client.newUser();

  const attempts: Record<string, (email: string) => Promise<unknown>> = {
    register: (email) => client.post("/api/auth/register", { email, password: PASSWORD }),
    login: (email) =>
      client.post("/api/auth/login", {
        email: email === known.email ? email : NOBODY,
        password: "not the password",
      }),
    "invitation lookup": (email) => client.post("/api/invitations/lookup", { token: tokenFor(email) }),
    "invitation accept": (email) => holder.post("/api/invitations/accept", { token: tokenFor(email) }),
    "forgot-password": (email) => client.post("/api/auth/forgot-password", { email }),
  };

  let hasPassed = true;
  for (const [name, attempt] of Object.entries(attempts)) {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let i = -20; i < CALLS; i += 1) {
      const kind = i % 2 === 0 ? "known" : "unknown";
      const email = kind === "known" ? known.email : `user-${randomUUID()}@example.test`;
      const startedAt = performance.now();
      await attempt(email);
      if (i >= 0) times[kind].push(performance.now() - startedAt);
    }
    const p = mannWhitney(times.known, times.unknown);
    hasPassed &&= p >= 0.05 / Object.keys(attempts).length;
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]?.toFixed(2);
    console.log(
      `${name}: n = ${CALLS}, median ${median(times.known)} ms known, ${median(times.unknown)} ms unknown, p = ${p.toFixed(3)}`,
    );
  }
  return hasPassed;
});

/** Two-sided p-value with the normal approximation, which needs about 20 values per side. */
function mannWhitney(a: number[], b: number[]): number {
  let u = 0;
  for (const x of a) for (const y of b) u += x < y ? 1 : x === y ? 0.5 : 0;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(u - mean) / deviation));
}

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

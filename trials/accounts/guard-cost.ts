// Measures what the guard of every request with a session asks the database, in rounds that take turns: with the workspace in the
// address, without it, and the statement of the time before workspaces had addresses, which read session, user and membership. One
// connection, prepared, on 20,000 users with a workspace each. Passes if the median with the workspace is at most 1.3 of the one before.
import { createHash } from "node:crypto";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { createTrialDatabase, runTrial, select } from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import { SESSION_COLUMNS } from "../../server/src/auth/sessions.ts";
import { batchedRead } from "../../server/src/db/batched-read.ts";
import { createDatabase, createPool } from "../../server/src/db/database.ts";
import { migrate } from "../../server/src/db/migrate.ts";
import { findMemberSession } from "../../server/src/workspaces/member-session.ts";
import { median } from "../../testing/src/percentile.ts";

const ROUNDS = Number(process.argv[2] ?? 3_000);
const USERS = 20_000;
const MAX_RATIO = 1.3;
const WARM_UP_ROUNDS = 200;

const tokenOf = (n: number) => `token-${n}`;
const hashOf = (n: number) => createHash("sha256").update(tokenOf(n)).digest("hex");

const readBefore = batchedRead(async (db, hashes) => {
  const { rows } = await sql<{ tokenHash: string }>`/* prepared */
    select ${SESSION_COLUMNS}, memberships.workspace_id, memberships.role
    from sessions join users on users.id = sessions.user_id join memberships on memberships.user_id = users.id
    where sessions.token_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])
      and sessions.expires_at > now()`.execute(db);
  return new Map(rows.map((row) => [row.tokenHash, row]));
});

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  await migrate(database.url);
  const uuid = (kind: string) => `md5('${kind}' || n)::uuid`;
  await execute(
    database.url,
    `insert into users (id, email, password_hash)
       select ${uuid("user")}, n || '@example.test', 'none' from generate_series(1, ${USERS}) as n;
     insert into workspaces (id, name) select ${uuid("workspace")}, 'w' from generate_series(1, ${USERS}) as n;
     insert into memberships (user_id, workspace_id, role)
       select ${uuid("user")}, ${uuid("workspace")}, 'owner' from generate_series(1, ${USERS}) as n;
     insert into sessions (user_id, token_hash, methods, expires_at, last_seen_at)
       select ${uuid("user")}, sha256(('token-' || n)::bytea), '{password}', now() + interval '1 day', now() + interval '1 day'
       from generate_series(1, ${USERS}) as n;
     analyze`,
  );
  const slugs = new Map(
    (
      await select<{ n: number; slug: string }>(
        database.url,
        `select n, slug from generate_series(1, ${USERS}) as n join workspaces on id = ${uuid("workspace")}`,
      )
    ).map(({ n, slug }) => [Number(n), slug]),
  );
  const db = createDatabase(createPool(database.url, { max: 1 }));
  onCleanup(() => db.destroy());

  const readers: [name: string, read: (n: number) => Promise<unknown>][] = [
    ["before", (n) => readBefore(db, hashOf(n))],
    ["with the workspace", (n) => findMemberSession(db, tokenOf(n), slugs.get(n))],
    ["without it", (n) => findMemberSession(db, tokenOf(n), undefined)],
    [
      "four with the workspace at once",
      (n) =>
        Promise.all(
          [n, (n % USERS) + 1, ((n + 1) % USERS) + 1, ((n + 2) % USERS) + 1].map((one) =>
            findMemberSession(db, tokenOf(one), slugs.get(one)),
          ),
        ),
    ],
  ];
  const timesMs = new Map<string, number[]>(readers.map(([name]) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // Each is the first of a round as often as the others.
    for (let turn = 0; turn < readers.length; turn += 1) {
      const [name, read] = readers[(turn + round + WARM_UP_ROUNDS) % readers.length] ?? [];
      if (!name || !read) continue;
      const n = 1 + Math.floor(Math.random() * USERS);
      const startedMs = performance.now();
      const found = await read(n);
      const tookMs = performance.now() - startedMs;
      if (!found) throw new Error(`${name} found nothing`);
      if (round >= 0) timesMs.get(name)?.push(tookMs);
    }
  }
  const before = median(timesMs.get("before") ?? []);
  const ratioOf = (name: string) => median(timesMs.get(name) ?? []) / before;
  for (const [name, times] of timesMs)
    console.log(`${name}: median ${median(times).toFixed(3)} ms, ${ratioOf(name).toFixed(2)} of before`);
  return ratioOf("with the workspace") <= MAX_RATIO;
});

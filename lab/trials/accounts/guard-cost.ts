// Measures what the guard of every request with a session asks the database, in rounds that take turns: with the workspace in the
// address, without it, and the statement of the time before workspaces had addresses, which read session, user and membership, compared
// as these are with one hash. And what the guard of an API key asks, against key and usage alone. One connection, prepared, on 20,000
// users with a workspace and a key each. Passes if the median with the workspace is at most 1.3 of the one before, and without it 1.5.
import { createHash } from "node:crypto";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { createTrialDatabase, runTrial, select } from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import { findKeyOwner } from "../../../packages/server/src/api-keys/find-key-owner.ts";
import { generateKey, hashKey } from "../../../packages/server/src/api-keys/key-format.ts";
import { SESSION_COLUMNS } from "../../../packages/server/src/auth/sessions.ts";
import { usageColumns } from "../../../packages/server/src/billing/usage.ts";
import { batchedRead } from "../../../packages/server/src/db/batched-read.ts";
import { createDatabase, createPool } from "../../../packages/server/src/db/database.ts";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { findMemberSession } from "../../../packages/server/src/workspaces/member-session.ts";
import { median } from "../../../tests/support/percentile.ts";

const ROUNDS = Number(process.argv[2] ?? 3_000);
const USERS = 20_000;
const MAX_RATIOS = new Map([
  ["with the workspace", 1.3],
  ["without it", 1.5],
]);
const KEYS = 100;
const WARM_UP_ROUNDS = 200;

const tokenOf = (n: number) => `token-${n}`;
const hashOf = (n: number) => createHash("sha256").update(tokenOf(n)).digest("hex");

/** PostgreSQL plans a statement with an array again at each execution, so that one would flatter what is compared with it. */
const readBefore = batchedRead(async (db, [hash = ""]) => {
  const { rows } = await sql<{ tokenHash: string }>`/* prepared */
    select ${SESSION_COLUMNS}, memberships.workspace_id, memberships.role
    from sessions join users on users.id = sessions.user_id join memberships on memberships.user_id = users.id
    where sessions.token_hash = ${Buffer.from(hash, "hex")} and sessions.expires_at > now()`.execute(db);
  return new Map(rows.map((row) => [row.tokenHash, row]));
});
const readKeyAlone = batchedRead(async (db, [hash = ""]) => {
  const { rows } = await sql<{ keyHash: string }>`/* prepared */
    select encode(key_hash, 'hex') as key_hash, api_keys.id, api_keys.workspace_id, api_keys.scope, ${usageColumns()}
    from api_keys left join subscriptions on subscriptions.workspace_id = api_keys.workspace_id
    where key_hash = ${Buffer.from(hash, "hex")} and (api_keys.expires_at is null or api_keys.expires_at > now())`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.keyHash, row]));
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
  const keys = Array.from({ length: KEYS }, () => generateKey());
  await execute(
    database.url,
    `insert into subscriptions (workspace_id, sessions_limit) select id, 20 from workspaces;
     insert into api_keys (workspace_id, name, prefix, key_hash, feedback_ref, scope, last_used_at)
       select id, 'k', 'wt_', sha256(id::text::bytea), substr(sha256(id::text::bytea), 1, 8), 'send', now() + interval '1 day' from workspaces;
     update api_keys set key_hash = given.hash from (values ${keys
       .map((key, n) => `(md5('workspace' || ${n + 1})::uuid, '\\x${hashKey(key).toString("hex")}'::bytea)`)
       .join(", ")}) as given (workspace_id, hash) where api_keys.workspace_id = given.workspace_id;
     analyze`,
  );
  const keyOf = (n: number) => keys[n % KEYS] ?? "";
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
    ["key alone", (n) => readKeyAlone(db, hashKey(keyOf(n)).toString("hex"))],
    ["API key", (n) => findKeyOwner(db, keyOf(n))],
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
  return [...MAX_RATIOS].every(([name, limit]) => ratioOf(name) <= limit);
});

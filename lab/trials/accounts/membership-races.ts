// Lets requests race over two servers: two owners who leave or demote each other, 16 acceptances of one invitation, keys, links and
// invitations that are made while their maker is removed or demoted, an account that is deleted while its workspace is, and a policy
// that is set while somebody signs in. Passes if every workspace keeps an owner, an invitation is used once, nobody who was removed or
// demoted leaves a key that reads or an invitation, or makes a link afterwards, a policy holds from the next request on, no response is
// 5xx, and PostgreSQL detected no deadlock. On the Citus cluster in TEST_DATABASE_URL and CITUS_WORKERS with TEST_SHARDING=citus.
import { setTimeout as sleep } from "node:timers/promises";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { Client, PASSWORD, type SignedInUser, type TestResponse } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  runTrial,
  select,
  startTrialServer,
  Tally,
} from "@whytrace/testing/trial.ts";

const ROUNDS = Number(process.argv[2] ?? 200);
const ACCEPTANCES = 16;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const servers = await Promise.all([startTrialServer(database.url), startTrialServer(database.url)]);
  for (const server of servers) onCleanup(() => killServer(server));
  const [{ url }, { url: otherUrl }] = servers;
  const client = new Client(url);
  const statuses = new Tally();
  const violations = new Tally<string>();
  let links = 0;

  const note = (response: TestResponse) => {
    statuses.add(response.status);
    if (response.status >= 500) console.log(response.status, response.text);
    return response;
  };
  /** The same person at the other server. */
  const elsewhere = ({ cookie }: Client) => new Client(otherUrl, cookie);
  const query = <T extends object>(text: string) => select<T>(database.url, text);
  const [ada, grace] = await Promise.all([newPerson(), newPerson()]);

  async function newPerson(): Promise<SignedInUser> {
    const user = await client.newUser();
    await execute(database.url, `update users set email_verified_at = now() where id = '${user.userId}'`);
    return user;
  }
  /** A workspace of Ada in which Grace has the role. */
  async function newWorkspace(role: string): Promise<{ id: string; prefix: string; name: string }> {
    const name = "race";
    const [row] = await query<{ id: string; slug: string }>(
      `insert into workspaces (name) values ('${name}') returning id, slug`,
    );
    if (!row) throw new Error("no workspace");
    const { id, slug } = row;
    await execute(
      database.url,
      `insert into subscriptions (workspace_id, sessions_limit) values ('${id}', 20)`,
    );
    await execute(
      database.url,
      `insert into memberships (user_id, workspace_id, role)
       values ('${ada.userId}', '${id}', 'owner'), ('${grace.userId}', '${id}', '${role}')`,
    );
    return { id, prefix: `/w/${slug}`, name };
  }
  /** Sends a trace to a workspace of Ada, and returns its id. */
  async function sendTrace(prefix: string): Promise<string> {
    const { key } = note(await ada.post(`${prefix}/api/keys`, { name: "agent", scope: "send" })).json;
    const sent = trace();
    const headers = { authorization: `Bearer ${key}` };
    note(await new Client(url).post("/api/traces", { traces: [sent] }, { headers }));
    return sent.id;
  }
  const count = async (text: string) => Number((await query<{ count: string }>(text))[0]?.count);

  for (let round = 0; round < ROUNDS; round += 1) {
    const owned = await newWorkspace("owner");
    const leave = round % 2 === 0;
    const against = (person: SignedInUser, other: SignedInUser, at: Client) =>
      leave
        ? at.delete(`${owned.prefix}/api/members/${person.userId}`)
        : at.patch(`${owned.prefix}/api/members/${other.userId}`, { role: "viewer" });
    const ends = await Promise.all([against(ada, grace, ada), against(grace, ada, elsewhere(grace))]);
    ends.forEach(note);
    const owners = `select count(*) from memberships where workspace_id = '${owned.id}' and role = 'owner'`;
    if ((await count(owners)) !== 1) violations.add("not one owner left");

    const invited = await newWorkspace("viewer");
    await execute(
      database.url,
      `delete from memberships where workspace_id = '${invited.id}' and user_id = '${grace.userId}'`,
    );
    const { id } = note(await ada.post(`${invited.prefix}/api/invitations`, { email: grace.email })).json;
    const accepted = await Promise.all(
      Array.from({ length: ACCEPTANCES }, (_, n) =>
        (n % 2 ? grace : elsewhere(grace)).post("/api/invitations/accept", { id }),
      ),
    );
    accepted.forEach(note);
    if (accepted.filter(({ status }) => status === 200).length !== 1) violations.add("accepted not once");

    const shared = await newWorkspace("admin");
    const traceId = await sendTrace(shared.prefix);
    const isRemoval = round % 2 === 0;
    const made = await Promise.all([
      grace.post(`${shared.prefix}/api/keys`, { name: "k", scope: "read" }),
      elsewhere(grace).post(`${shared.prefix}/api/keys`, { name: "k", scope: "review" }),
      grace.post(`${shared.prefix}/api/invitations`, { email: `${round}@example.test` }),
      elsewhere(grace).post(`${shared.prefix}/api/traces/${traceId}/shares`, {}),
      isRemoval
        ? ada.delete(`${shared.prefix}/api/members/${grace.userId}`)
        : ada.patch(`${shared.prefix}/api/members/${grace.userId}`, { role: "viewer" }),
    ]);
    made.forEach(note);
    const by = `workspace_id = '${shared.id}' and`;
    if (
      isRemoval &&
      (await count(`select count(*) from api_keys where ${by} created_by = '${grace.userId}'`))
    )
      violations.add("a reading key outlived its maker");
    if (await count(`select count(*) from invitations where ${by} invited_by = '${grace.userId}'`))
      violations.add("an invitation outlived its maker");
    const shares = await count(
      `select count(*) from trace_shares where ${by} created_by = '${grace.userId}'`,
    );
    links += shares;
    const isLate = `select count(*) from audit_events as made join audit_events as ended using (workspace_id)
      where workspace_id = '${shared.id}' and made.action = 'link.created' and made.position > ended.position
        and ended.action in ('member.removed', 'member.role-changed')`;
    if (await count(isLate)) violations.add("a link after the removal");
    const late = await elsewhere(grace).post(`${shared.prefix}/api/keys`, { name: "late" });
    if (![403, 404].includes(note(late).status)) violations.add("a key after the removal");

    const strict = await newWorkspace("member");
    // A proof of who it is counts for 10 minutes, and a trial on a busy machine lasts longer.
    await execute(database.url, `update sessions set confirmed_at = now() where user_id = '${ada.userId}'`);
    const [set, signedIn] = await Promise.all([
      ada.put(`${strict.prefix}/api/workspace/policy`, { maxSessionHours: 1 }),
      new Client(otherUrl).post("/api/auth/login", { email: grace.email, password: PASSWORD }),
    ]);
    [set, signedIn].forEach(note);
    if (set.status !== 200) violations.add(`a policy was not set: ${set.status}`);
    await execute(
      database.url,
      `update sessions set created_at = now() - interval '2 hours' where user_id = '${grace.userId}'
       and id = (select id from sessions where user_id = '${grace.userId}' order by created_at desc limit 1)`,
    );
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0];
    const entered = await new Client(otherUrl, cookie).get(`${strict.prefix}/api/traces`);
    if (note(entered).status !== 403) violations.add(`a policy did not hold: ${entered.status}`);

    const leaver = await newPerson();
    const { slug, name } = (await leaver.get("/api/workspace")).json;
    const [account, workspace] = await Promise.all([
      leaver.delete("/api/account", { password: PASSWORD }),
      elsewhere(leaver).delete(`/w/${slug}/api/workspace`, { name }),
    ]);
    [account, workspace].forEach(note);
    if (account.status !== 200) violations.add(`an account stayed: ${account.status}`);
    if (await count(`select count(*) from workspaces where id = '${leaver.userId}' or slug = '${slug}'`))
      violations.add("a workspace stayed");
  }

  for (const server of servers) await killServer(server);
  await sleep(1_000);
  const deadlocks = await count(
    isDistributed
      ? "select sum(result::bigint) as count from run_command_on_all_nodes('select deadlocks from pg_stat_database where datname = current_database()')"
      : "select deadlocks as count from pg_stat_database where datname = current_database()",
  );
  console.log(
    `${ROUNDS} rounds: responses ${statuses}; ${links} links made before the removal; violations ${violations}; deadlocks ${deadlocks}`,
  );
  return violations.isOnly() && deadlocks === 0 && statuses.isOnly(200, 201, 400, 401, 403, 404, 409);
});

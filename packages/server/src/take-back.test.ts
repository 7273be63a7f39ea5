import { randomBytes, randomUUID } from "node:crypto";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { Authenticator } from "@whytrace/testing/server/authenticator.ts";
import { bootWithMailbox } from "@whytrace/testing/server/boot-with-mailbox.ts";
import {
  Client,
  expectStatus,
  PASSWORD,
  type SignedInUser,
  type TestResponse,
} from "@whytrace/testing/server/client.ts";
import {
  cookiesOf,
  type ProviderAccount,
  TestIdentityProvider,
} from "@whytrace/testing/server/identity-provider.ts";
import { RESET, VERIFY } from "@whytrace/testing/server/mailbox.ts";
import { addApp, addPasskey, firstStep, newChallenge } from "@whytrace/testing/server/second-factor.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { proveAddress } from "./accounts/prove-address.ts";
import { issueLink } from "./accounts/sign-in-link.ts";
import { transaction } from "./db/transaction.ts";
import { KEPT, TAKEN_BACK, takeBack } from "./take-back.ts";

const ORIGIN = "http://localhost:3000";
const provider = new TestIdentityProvider("corp");
const { client, db, mailbox } = await bootWithMailbox({
  ...(await provider.settings()),
  PUBLIC_URL: ORIGIN,
  ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
});

/** The column that names the person, where it is not `user_id`. */
const PERSON_COLUMNS: Readonly<Record<string, string>> = {
  users: "id",
  invitations: "invited_by",
  trace_shares: "created_by",
  api_keys: "created_by",
  alert_channels: "created_by",
};

/** Which tables have something of the person that is taken back. */
async function tablesOf({ userId }: SignedInUser): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(TAKEN_BACK)) {
    const { rows } = await sql`
      select from ${sql.table(table)} as t where ${sql.ref(PERSON_COLUMNS[table] ?? "user_id")} = ${userId}
        and (to_jsonb(t) -> 'password_hash') is distinct from 'null'::jsonb limit 1`.execute(db);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const link = async (user: SignedInUser, account: ProviderAccount) => {
  const started = expectStatus(await user.post("/api/account/identities", { provider: "corp" }), 200);
  const cookie = `${user.cookie}; ${cookiesOf(started)}`;
  return provider.comeBack(client, provider.signIn({ location: started.json.url, cookie }, account));
};

interface Squatter {
  user: SignedInUser;
  authenticator: Authenticator;
  recoveryCodes: string[];
  identity: ProviderAccount;
  key: string;
  share: string;
  channel: string;
}

/** Somebody with everything that an account can have, whose address counts as never proved. */
async function newSquatter(): Promise<Squatter> {
  const user = await newSender(client, db);
  await user.verify?.();
  const run = trace();
  expectStatus(await user.send([run]), 200);
  const { key } = expectStatus(await user.post("/api/keys", { name: "read", scope: "read" }), 201).json;
  const share = expectStatus(await user.post(`/api/traces/${run.id}/shares`, {}), 201)
    .json.url.split("/")
    .at(-1);
  const hook = { kind: "webhook", name: "mine", url: "http://127.0.0.1:1025/hook" };
  const channel = expectStatus(await user.post("/api/alerts/channels", hook), 201).json.id;
  expectStatus(await user.post("/api/invitations", { email: `${randomUUID()}@example.test` }), 201);
  const identity = { sub: randomUUID(), email: `${randomUUID()}@elsewhere.test` };
  await link(user, identity);
  const { authenticator, recoveryCodes } = await addPasskey(user, ORIGIN);
  await addApp(user);
  await firstStep(client, user.email);
  // With a browser that is remembered.
  const presented = authenticator.get(await newChallenge(client));
  expectStatus(await new Client(client.url).post("/api/auth/passkey", { response: presented }), 200);
  const challenge = randomBytes(32).toString("base64url");
  expectStatus(await user.post("/api/cli-codes", { challenge, name: "laptop" }), 201);
  expectStatus(await client.post("/api/auth/forgot-password", { email: user.email }), 200);
  await issueLink(db, ORIGIN, user.email, "signIn");
  await sql`update users set email_verified_at = null where id = ${user.userId}`.execute(db);
  return { user, authenticator, recoveryCodes, identity, key, share, channel };
}

const sendToken = async (subject: RegExp, path: string, email: string, body: object = {}, cookie?: string) =>
  new Client(client.url, cookie).post(path, { token: await mailbox.tokenFor(email, subject), ...body });

const NEW_PASSWORD = "the owner's own password";

/** Every way to prove the address of an account that exists, in a browser with this session. */
const PROOFS: Readonly<Record<string, (email: string, cookie?: string) => Promise<TestResponse>>> = {
  "a mailed link": (email, cookie) => sendToken(VERIFY, "/api/auth/verify-email", email, {}, cookie),
  "a reset password": (email, cookie) =>
    sendToken(RESET, "/api/auth/reset-password", email, { password: NEW_PASSWORD }, cookie),
  "a provider": async (email, cookie) => {
    const started = await new Client(client.url).get("/api/auth/oidc/corp");
    const answer = provider.signIn(started, { sub: randomUUID(), email });
    return provider.comeBack(client, {
      ...answer,
      cookie: [answer.cookie, cookie].filter(Boolean).join("; "),
    });
  },
  "the operator's link": async (email, cookie) => {
    const url = new URL((await issueLink(db, ORIGIN, email, "signIn")) ?? "");
    return new Client(client.url, cookie).get(url.pathname + url.search);
  },
};
/** Tables in which the owner has something of their own after the proof. */
const OWN: Readonly<Record<string, string[]>> = {
  "a mailed link": ["password_reset_tokens"],
  "a reset password": ["users"],
  "a provider": ["sessions", "devices", "user_identities"],
  "the operator's link": ["sessions", "devices"],
};

it("each table is either taken back or kept for a reason", async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely_%'`.execute(
    db,
  );
  const listed = [...Object.keys(TAKEN_BACK), ...Object.keys(KEPT)];
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe.each(Object.keys(PROOFS))("%s", (name) => {
  const prove = (email: string, cookie?: string) => PROOFS[name]?.(email, cookie);

  it("takes an account back from whoever registered the address before its owner", async () => {
    const squatter = await newSquatter();
    const { user, authenticator, identity, key, share, channel } = squatter;
    expect(await tablesOf(user)).toEqual(Object.keys(TAKEN_BACK));
    const response = await prove(user.email);
    expect([200, 302]).toContain(response?.status);
    expect(response?.headers.get("location") ?? "/").toBe("/");
    expect(await tablesOf(user)).toEqual(
      Object.keys(TAKEN_BACK).filter((table) => OWN[name]?.includes(table)),
    );

    const stranger = new Client(client.url);
    expect((await user.get("/api/auth/session")).status).toBe(401);
    const presented = authenticator.get(await newChallenge(client));
    expect((await stranger.post("/api/auth/passkey", { response: presented })).status).toBe(401);
    const login = await stranger.post("/api/auth/login", { email: user.email, password: PASSWORD });
    expect(login.status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await stranger.get("/api/traces", { headers })).status).toBe(401);
    expect((await stranger.get(`/api/shared/${share}/link`)).status).toBe(404);
    // The identity belongs to nobody now: it opens an account of its own.
    const other = cookiesOf(await provider.walk(client, identity));
    const { user: person } = (await new Client(client.url, other).get("/api/auth/session")).json;
    expect(person.email).toBe(identity.email);
    const { rows } = await sql`select from alert_channels where id = ${channel}`.execute(db);
    expect(rows).toEqual([]);
  });

  it("takes nothing back in a browser that is signed in to the account, or once the address is proved", async () => {
    const inSession = await newSquatter();
    const proved = await newSquatter();
    await proved.user.verify?.();
    for (const [{ user, key }, cookie] of [
      [inSession, inSession.user.cookie],
      [proved, undefined],
    ] as const) {
      await prove(user.email, cookie);
      const kept = await tablesOf(user);
      for (const table of ["passkeys", "totp_secrets", "api_keys", "alert_channels", "trace_shares", "users"])
        expect(kept).toContain(table);
      const headers = { authorization: `Bearer ${key}` };
      expect((await new Client(client.url).get("/api/traces", { headers })).status).toBe(200);
    }
  });
});

it("the owner chooses a password with the answer of the mailed link", async () => {
  const { user } = await newSquatter();
  const token = await mailbox.tokenFor(user.email, VERIFY);
  const { passwordToken } = expectStatus(await client.post("/api/auth/verify-email", { token }), 200).json;
  const body = { token: passwordToken, password: NEW_PASSWORD };
  expectStatus(await client.post("/api/auth/reset-password", body), 200);
  const owner = await client.signIn(user.email, NEW_PASSWORD);
  expect((await owner.get("/api/auth/session")).json.user).toMatchObject({ isEmailVerified: true });
});

describe("what a session adds while its account is taken back", () => {
  const acts: Readonly<Record<string, (user: SignedInUser) => Promise<() => Promise<TestResponse>>>> = {
    api_keys: async (user) => () => user.post("/api/keys", { name: "late" }),
    alert_channels: async (user) => () =>
      user.post("/api/alerts/channels", { kind: "webhook", name: "late", url: "http://127.0.0.1:1025/late" }),
    passkeys: async (user) => {
      await user.verify?.();
      const { options } = expectStatus(await user.post("/api/account/passkeys/options", {}), 200).json;
      const response = new Authenticator(ORIGIN).create(options);
      return () => user.post("/api/account/passkeys", { name: "late", response });
    },
    user_identities: async (user) => {
      await user.verify?.();
      const started = expectStatus(await user.post("/api/account/identities", { provider: "corp" }), 200);
      const cookie = `${user.cookie}; ${cookiesOf(started)}`;
      const account = { sub: randomUUID(), email: `${randomUUID()}@elsewhere.test` };
      const answer = provider.signIn({ location: started.json.url, cookie }, account);
      return () => provider.comeBack(client, answer);
    },
  };

  it.each(Object.keys(acts))("is not left in %s", async (table) => {
    const user = await client.newUser();
    const act = await acts[table]?.(user);
    let answer: Promise<TestResponse> | undefined;
    await transaction(db, async (trx) => {
      await sql`update users set email_verified_at = null where id = ${user.userId}`.execute(trx);
      await proveAddress(trx, user.userId, { session: undefined, takeBack });
      answer = act?.();
      // It waits for this transaction, or has been answered.
      const waiting = () =>
        sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
      await expect.poll(async () => (await waiting()).rows[0]?.count).toBeGreaterThan(0);
    });
    expect((await answer)?.status).not.toBe(201);
    expect(await tablesOf(user)).not.toContain(table);
  });
});

it("an account whose address is not proved gets no further way to sign in and lets nobody in", async () => {
  const user = await client.newUser();
  for (const [path, body] of [
    ["/api/account/totp", {}],
    ["/api/account/passkeys/options", {}],
    ["/api/account/identities", { provider: "corp" }],
    ["/api/workspace/domains", { domain: "example.test", role: "member" }],
    ["/api/invitations", { email: "friend@example.test" }],
  ] as const) {
    const { status, json } = await user.post(path, body);
    expect([path, status, json.error]).toEqual([
      path,
      403,
      expect.stringMatching(/^Verify your email address/),
    ]);
  }
});

import { randomBytes, randomUUID } from "node:crypto";
import { Authenticator } from "@whytrace/testing/server/authenticator.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import {
  Client,
  expectStatus,
  PASSWORD,
  SignedInUser,
  type TestResponse,
} from "@whytrace/testing/server/client.ts";
import {
  cookiesOf,
  type ProviderAccount,
  TestIdentityProvider,
} from "@whytrace/testing/server/identity-provider.ts";
import {
  addApp,
  addPasskey,
  appCode,
  firstStep,
  newChallenge,
} from "@whytrace/testing/server/second-factor.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { issueLink } from "../accounts/sign-in-link.ts";

const ORIGIN = "http://localhost:3000";
const provider = new TestIdentityProvider("corp");
const { client, db } = await boot({
  ...(await provider.settings()),
  PUBLIC_URL: ORIGIN,
  ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
});

interface Person {
  email: string;
  account: ProviderAccount;
  authenticator?: Authenticator;
  secret?: string;
  recoveryCodes?: string[];
}

async function newPerson(isLinked: boolean): Promise<Person & { user: SignedInUser }> {
  const user = await client.newUser();
  await user.verify?.();
  const account = { sub: randomUUID(), email: `${randomUUID()}@corp.test` };
  if (isLinked) {
    const started = expectStatus(await user.post("/api/account/identities", { provider: "corp" }), 200);
    const cookie = `${user.cookie}; ${cookiesOf(started)}`;
    await provider.comeBack(client, provider.signIn({ location: started.json.url, cookie }, account));
  }
  return { user, email: user.email, account };
}

/** People by what they have, in the words of the header that asks them to confirm. */
const PEOPLE: Readonly<Record<string, () => Promise<Person>>> = {
  password: () => newPerson(false),
  oidc: async () => {
    const account = { sub: randomUUID(), email: `${randomUUID()}@corp.test` };
    await provider.walk(client, account);
    return { email: account.email, account };
  },
  "password, oidc": () => newPerson(true),
  "passkey, recovery": async () => {
    const person = await newPerson(true);
    return { ...person, ...(await addPasskey(person.user, ORIGIN)) };
  },
  "totp, recovery": async () => {
    const person = await newPerson(true);
    return { ...person, ...(await addApp(person.user)) };
  },
};

const post = (path: string, body: object, cookie?: string) => new Client(client.url, cookie).post(path, body);
const secondStep = async ({ email }: Person, answer: object) =>
  post("/api/auth/login/second-factor", { token: (await firstStep(client, email)).token, ...answer });

/** Ways to sign in, with everything that they ask for. */
const WAYS_IN: Readonly<Record<string, (person: Person) => Promise<TestResponse>>> = {
  password: ({ email }) => post("/api/auth/login", { email, password: PASSWORD }),
  passkey: async ({ authenticator }) =>
    post("/api/auth/passkey", { response: authenticator?.get(await newChallenge(client)) ?? {} }),
  "password and app": (person) => secondStep(person, { code: appCode(person.secret ?? "") }),
  "password and recovery code": (person) => secondStep(person, { recoveryCode: person.recoveryCodes?.[0] }),
  provider: ({ account }) => provider.walk(client, account),
  "provider with a second factor": ({ account }) =>
    provider.walk(client, account, { claims: { amr: ["mfa"] } }),
  "operator's link": async ({ email }) => {
    const url = new URL((await issueLink(db, ORIGIN, email, "signIn")) ?? "");
    return new Client(client.url).get(url.pathname + url.search);
  },
};

/** Ways to confirm, in the words of the header. */
const WAYS_TO_CONFIRM: Readonly<Record<string, (person: Person, cookie: string) => Promise<unknown>>> = {
  password: (_person, cookie) => post("/api/auth/confirm", { password: PASSWORD }, cookie),
  totp: ({ secret }, cookie) => post("/api/auth/confirm", { code: appCode(secret ?? "") }, cookie),
  recovery: ({ recoveryCodes }, cookie) =>
    post("/api/auth/confirm", { recoveryCode: recoveryCodes?.[1] }, cookie),
  passkey: async ({ authenticator }, cookie) =>
    post("/api/auth/confirm", { passkey: authenticator?.get(await newChallenge(client)) }, cookie),
  oidc: async ({ account }, cookie) => {
    const started = await new Client(client.url, cookie).get("/api/auth/oidc/corp?confirm=true");
    const location = started.headers.get("location") ?? "";
    const both = `${cookie}; ${cookiesOf(started)}`;
    return provider.comeBack(client, provider.signIn({ location, cookie: both }, account));
  },
};

const sessionCookie = (response: TestResponse) => /whytrace_session=[^;]+/.exec(cookiesOf(response))?.[0];

/** What the session may do: change factors, or else what it is asked for first. */
async function rightsOf(cookie: string | undefined): Promise<string> {
  if (cookie === undefined) return "nobody";
  const { status, headers } = await post("/api/account/passkeys/options", {}, cookie);
  return status === 200 ? "confirmed" : `asked for ${headers.get("whytrace-confirm")}`;
}

const NONE = "nobody";
const ALL = "confirmed";
const PASSKEY = "asked for passkey, recovery";
const APP = "asked for totp, recovery";

/** For each way in, what somebody has after it. Absent: the person does not have this way. */
const SIGN_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  password: { password: ALL, provider: NONE, "operator's link": ALL },
  oidc: { password: NONE, provider: ALL, "provider with a second factor": ALL, "operator's link": ALL },
  "password, oidc": {
    password: ALL,
    provider: ALL,
    "provider with a second factor": ALL,
    "operator's link": ALL,
  },
  "passkey, recovery": {
    password: NONE,
    passkey: ALL,
    "password and recovery code": ALL,
    provider: PASSKEY,
    "provider with a second factor": PASSKEY,
    "operator's link": ALL,
  },
  "totp, recovery": {
    password: NONE,
    "password and app": ALL,
    "password and recovery code": ALL,
    provider: APP,
    "provider with a second factor": APP,
    "operator's link": ALL,
  },
};

describe.each(Object.keys(PEOPLE))("a person who confirms by %s", (ways) => {
  const newOne = async () => (await PEOPLE[ways]?.()) ?? expect.fail();

  it.each(Object.entries(SIGN_INS[ways] ?? {}))("and signs in by %s is %s", async (way, expected) => {
    const person = await newOne();
    const cookie = sessionCookie((await WAYS_IN[way]?.(person)) ?? expect.fail());
    const isStranger = way === "provider" && expected === NONE;
    if (isStranger) {
      // The provider's account opens an account of its own.
      const { json } = await new Client(client.url, cookie).get("/api/auth/session");
      expect(json.user.email).toBe(person.account.email);
    } else expect(await rightsOf(cookie)).toBe(expected);
  });

  it.each(Object.keys(WAYS_TO_CONFIRM))("confirms by %s only if it was asked for", async (way) => {
    const person = await newOne();
    const link = await WAYS_IN["operator's link"]?.(person);
    const cookie = (link && sessionCookie(link)) ?? expect.fail();
    await sql`
      update sessions set confirmed_at = null
      where user_id = (select id from users where email = ${person.email})`.execute(db);
    expect(await rightsOf(cookie)).toBe(`asked for ${ways}`);
    await WAYS_TO_CONFIRM[way]?.(person, cookie);
    expect(await rightsOf(cookie)).toBe(ways.split(", ").includes(way) ? ALL : `asked for ${ways}`);
  });
});

it("a first factor ends what other sessions have confirmed without one", async () => {
  const { user } = await newPerson(false);
  const other = await client.signIn(user.email);
  expect(await rightsOf(other.cookie)).toBe(ALL);
  const { options } = expectStatus(await other.post("/api/account/passkeys/options", {}), 200).json;
  await addPasskey(user, ORIGIN);
  expect(await rightsOf(user.cookie)).toBe(ALL);
  expect(await rightsOf(other.cookie)).toBe(PASSKEY);
  // Nor does a passkey count that was asked for before.
  const response = new Authenticator(ORIGIN).create(options);
  expect((await other.post("/api/account/passkeys", { name: "late", response })).status).toBe(403);
});

it("a workspace that demands a second factor is not opened by a provider and a new factor", async () => {
  const person = await newPerson(true);
  await addPasskey(person.user, ORIGIN);
  expectStatus(await person.user.put("/api/workspace/policy", { requireSecondFactor: true }), 200);
  const cookie = sessionCookie(await provider.walk(client, person.account));
  const session = new SignedInUser(client.url, cookie, { ...person.user, workspaceId: undefined });
  const { slug } = (await person.user.get("/api/workspace")).json;
  expect((await session.get(`/w/${slug}/api/traces`)).status).toBe(403);
  expect((await session.post("/api/account/totp", {})).status).toBe(403);
  expect((await session.post("/api/account/passkeys/options", {})).status).toBe(403);
});

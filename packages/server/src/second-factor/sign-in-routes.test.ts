import { randomBytes } from "node:crypto";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { Authenticator } from "@whytrace/testing/server/authenticator.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { bootWithMailbox } from "@whytrace/testing/server/boot-with-mailbox.ts";
import { Client, expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import {
  addApp,
  addPasskey,
  appCode,
  firstStep,
  newChallenge,
} from "@whytrace/testing/server/second-factor.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { Operator } from "../operator.ts";

const ORIGIN = "http://localhost:3000";
const SETTINGS = { PUBLIC_URL: ORIGIN, ENCRYPTION_KEYS: randomBytes(32).toString("base64") };
const AGAIN = '{"error":"Sign in again"}';
const INVALID = '{"error":"Invalid code"}';

let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot(SETTINGS);
  client = booted.client;
});

const secondStep = (token: string, answer: object) =>
  new Client(client.url).post("/api/auth/login/second-factor", { token, ...answer });
const sessionOf = async (headers: Headers) => {
  const cookie = headers.getSetCookie()[0]?.split(";")[0];
  return expectStatus(await new Client(client.url, cookie).get("/api/auth/session"), 200).json;
};
const wrongOf = (secret: string) => String((Number(appCode(secret)) + 7) % 1_000_000).padStart(6, "0");
const longAgo = (user: SignedInUser) =>
  sql`update sessions set confirmed_at = now() - interval '11 minutes' where user_id = ${user.userId}`.execute(
    booted.db,
  );

it("everybody is told how to sign in here", async () => {
  expect((await client.get("/api/auth/methods")).json).toEqual({
    password: true,
    passkeys: true,
    totp: true,
    registration: true,
    providers: [],
  });
  const { client: plain } = await boot({
    PUBLIC_URL: "http://127.0.0.1:3000",
    REGISTRATION: "closed",
    DATABASE_URL: booted.databaseUrl,
  });
  expect((await plain.get("/api/auth/methods")).json).toMatchObject({
    passkeys: false,
    totp: false,
    registration: false,
  });
  const user = await client.newUser();
  await user.verify?.();
  const there = new Client(plain.url, user.cookie);
  expect((await there.post("/api/account/totp", {})).text).toBe(
    '{"error":"Authenticator apps are not available"}',
  );
  expect((await there.post("/api/account/passkeys/options", {})).status).toBe(409);
});

describe("an authenticator app", () => {
  it("is asked after the password, and a code works once", async () => {
    const user = await client.newUser();
    const { secret, recoveryCodes } = await addApp(user);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const { token, methods } = await firstStep(client, user.email);
    expect(methods).toEqual(["totp", "recovery"]);
    const code = appCode(secret);
    const done = expectStatus(await secondStep(token, { code }), 200);
    expect(done.json.user.email).toBe(user.email);
    const { signIn } = await sessionOf(done.headers);
    expect(signIn).toMatchObject({ methods: ["password", "totp"], hasSecondFactor: true });
    expect((await secondStep((await firstStep(client, user.email)).token, { code })).text).toBe(INVALID);
    expect((await secondStep(token, { code: appCode(secret, 1) })).text).toBe(AGAIN);
    // A code from before the last accepted one is not accepted either.
    const { token: later } = await firstStep(client, user.email);
    expect((await secondStep(later, { code: appCode(secret, -1) })).text).toBe(INVALID);
  });

  it("accepts one of many equal codes at once", async () => {
    const user = await client.newUser();
    const { secret } = await addApp(user);
    const code = appCode(secret);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => firstStep(client, user.email)));
    const answers = await Promise.all(tokens.map(({ token }) => secondStep(token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it("counts for nothing before a code has proved it, and only one can be set up", async () => {
    const user = await client.newUser();
    await user.verify?.();
    const first = (await user.post("/api/account/totp", {})).json;
    expect(first.uri).toContain(`secret=${first.secret}`);
    const second = (await user.post("/api/account/totp", {})).json;
    expect(second.secret).not.toBe(first.secret);
    await client.signIn(user.email);
    const confirm = (code: string) => user.post("/api/account/totp/confirm", { code });
    expect((await confirm(appCode(first.secret))).text).toBe(INVALID);
    expect((await user.get("/api/account/factors")).json.hasTotp).toBe(false);
    expect((await confirm(appCode(second.secret))).status).toBe(200);
    expect((await user.post("/api/account/totp", {})).text).toBe(
      '{"error":"An authenticator app is already set up. Remove it first."}',
    );
    expect((await confirm(appCode(second.secret, 1))).status).toBe(400);
  });

  it("fails with 503 if the key is lost, while a recovery code works", async () => {
    const user = await client.newUser();
    const { secret, recoveryCodes } = await addApp(user);
    const { client: other } = await boot({
      ...SETTINGS,
      ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
      DATABASE_URL: booted.databaseUrl,
    });
    const { token } = await firstStep(other, user.email);
    const at = (answer: object) => other.post("/api/auth/login/second-factor", { token, ...answer });
    const refused = await at({ code: appCode(secret) });
    expect([refused.status, refused.json]).toEqual([503, { error: "Authenticator apps are not available" }]);
    expect((await at({ recoveryCode: recoveryCodes[0] })).status).toBe(200);
  });

  it("keeps neither its secret nor recovery codes in plain text", async () => {
    const user = await client.newUser();
    const { secret, recoveryCodes } = await addApp(user);
    const { rows } = await sql<{ line: string }>`
      select row_to_json(totp_secrets)::text as line from totp_secrets where user_id = ${user.userId}
      union all select row_to_json(recovery_codes)::text from recovery_codes where user_id = ${user.userId}`.execute(
      booted.db,
    );
    expect(rows).toHaveLength(11);
    for (const { line } of rows)
      for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))])
        expect(line.toLowerCase()).not.toContain(text.toLowerCase());
  });
});

describe("guessing", () => {
  it("ends after five tries, also at once; a recovery code works once each", async () => {
    const user = await client.newUser();
    const { secret, recoveryCodes } = await addApp(user);
    const recover = async (recoveryCode = "") =>
      secondStep((await firstStep(client, user.email)).token, { recoveryCode });
    expect((await recover(recoveryCodes[0])).status).toBe(200);
    expect((await recover(recoveryCodes[0])).text).toBe(INVALID);
    expect((await recover(recoveryCodes[1]?.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect((await recover(recoveryCodes[2]?.slice(0, -1))).text).toBe(INVALID);
    const { token } = await firstStep(client, user.email);
    const guesses = Array.from({ length: 12 }, () => secondStep(token, { code: wrongOf(secret) }));
    const texts = (await Promise.all(guesses)).map(({ text }) => text);
    expect(texts.filter((text) => text === INVALID)).toHaveLength(5);
    expect((await secondStep(token, { code: appCode(secret) })).text).toBe(AGAIN);
    for (const unknown of ["", "forged", "\0"])
      expect((await secondStep(unknown, { code: "123456" })).text).toBe(AGAIN);
    const { token: empty } = await firstStep(client, user.email);
    expect((await secondStep(empty, {})).text).toBe(INVALID);
  });

  it("has a limit per person over all first steps, and the tenth failure tells the person", async () => {
    const { client, mailbox } = await bootWithMailbox({
      ...SETTINGS,
      RATE_LIMIT_SECOND_FACTOR: "10/1h",
    });
    const user = await client.newUser();
    const { secret } = await addApp(user);
    const guess = async () => {
      const { token } = await firstStep(client, user.email);
      const body = { token, code: wrongOf(secret) };
      return (await client.post("/api/auth/login/second-factor", body)).status;
    };
    const confirm = async () => (await user.post("/api/auth/confirm", { code: wrongOf(secret) })).status;
    for (let count = 0; count < 5; count += 1) expect([await guess(), await confirm()]).toEqual([401, 401]);
    expect([await guess(), await confirm()]).toEqual([429, 429]);
    const told = () => mailbox.mails.filter(({ subject }) => subject?.startsWith("Somebody knows"));
    await expect.poll(() => told().length).toBe(1);
  });

  it("has the same limit while an app is set up", async () => {
    const { client } = await boot({ ...SETTINGS, RATE_LIMIT_SECOND_FACTOR: "10/1h" });
    const user = await client.newUser();
    await user.verify?.();
    const { secret } = expectStatus(await user.post("/api/account/totp", {}), 201).json;
    const guess = (code: string) => user.post("/api/account/totp/confirm", { code });
    const guesses = await Promise.all(Array.from({ length: 15 }, () => guess(wrongOf(secret))));
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(400),
      ...Array(5).fill(429),
    ]);
    expect((await guess(appCode(secret))).status).toBe(429);
  });

  it("does not help whoever learns the password: a changed one ends the first step", async () => {
    const user = await client.newUser();
    const { secret } = await addApp(user);
    const { token } = await firstStep(client, user.email);
    const change = { currentPassword: PASSWORD, password: "another good password" };
    expect((await user.post("/api/account/password", change)).status).toBe(200);
    expect((await secondStep(token, { code: appCode(secret) })).text).toBe(AGAIN);
  });
});

describe("a passkey", () => {
  const login = (response: object) => new Client(client.url).post("/api/auth/passkey", { response });

  it("signs in without an address and counts as both factors", async () => {
    const user = await client.newUser();
    const { authenticator, recoveryCodes } = await addPasskey(user, ORIGIN);
    expect(recoveryCodes).toHaveLength(10);
    expect((await sessionOf(new Headers({ "set-cookie": user.cookie ?? "" }))).signIn.methods).toEqual([
      "password",
      "passkey",
    ]);
    const done = expectStatus(await login(authenticator.get(await newChallenge(client))), 200);
    expect(done.json.user.email).toBe(user.email);
    expect((await sessionOf(done.headers)).signIn.methods).toEqual(["passkey"]);
    const { token, methods } = await firstStep(client, user.email);
    expect(methods).toEqual(["passkey", "recovery"]);
    const second = await secondStep(token, { passkey: authenticator.get(await newChallenge(client)) });
    expect((await sessionOf(second.headers)).signIn.methods).toEqual(["password", "passkey"]);
    // A second factor later makes no new recovery codes.
    expect((await addApp(user)).recoveryCodes).toEqual([]);
    expect((await firstStep(client, user.email)).methods).toEqual(["passkey", "totp", "recovery"]);
  });

  it("is refused from another origin or host, without the person, replayed, or with another challenge", async () => {
    const [user, mallory] = [await client.newUser(), await client.newUser()];
    const { authenticator } = await addPasskey(user, ORIGIN);
    const theirs = await addPasskey(mallory, ORIGIN);
    const refused = async (response: object) => {
      const { status, text, headers } = await login(response);
      expect([status, text]).toEqual([401, '{"error":"Passkey not accepted"}']);
      expect(headers.getSetCookie()).toEqual([]);
    };
    const answer = async (changes: object) => authenticator.get(await newChallenge(client), changes);
    await refused(await answer({ origin: "https://evil.example" }));
    await refused(await answer({ rpId: "evil.example" }));
    await refused(await answer({ isUserVerified: false }));
    await refused(await answer({ userHandle: Buffer.from("somebody else").toString("base64url") }));
    const options = await newChallenge(client);
    const used = authenticator.get(options);
    expect((await login(used)).status).toBe(200);
    await refused(used);
    await refused(authenticator.get(options));
    await refused(authenticator.get({ challenge: "forged", rpId: "localhost" }));
    await refused(new Authenticator(ORIGIN).get(await newChallenge(client)));
    // Another person's passkey with this person's credential id, and in this person's second step.
    const stolen = theirs.authenticator.get(await newChallenge(client));
    const { id } = authenticator.get(options);
    await refused({ ...stolen, id, rawId: id });
    const { token } = await firstStep(client, user.email);
    const passkey = theirs.authenticator.get(await newChallenge(client));
    expect((await secondStep(token, { passkey })).text).toBe(INVALID);
    for (const clientDataJSON of ["", "!", Buffer.from("[]").toString("base64url")])
      await refused({ ...used, response: { ...used.response, clientDataJSON } });
    const { rows } = await sql`
      select from webauthn_challenges where challenge_hash = sha256(${options.challenge}::bytea)`.execute(
      booted.db,
    );
    expect(rows).toHaveLength(0);
  });

  it("is added once, only by the session that asked, and only with the person verified", async () => {
    const [user, mallory] = [await client.newUser(), await client.newUser()];
    for (const person of [user, mallory]) await person.verify?.();
    const optionsFor = async (person: Client) =>
      expectStatus(await person.post("/api/account/passkeys/options", {}), 200).json.options;
    const add = (person: Client, response: object) =>
      person.post("/api/account/passkeys", { name: "mine", response });
    const authenticator = new Authenticator(ORIGIN);
    for (const response of [
      authenticator.create(await optionsFor(user), { isUserVerified: false }),
      authenticator.create(await optionsFor(user), { origin: "https://evil.example" }),
      authenticator.create({
        ...(await optionsFor(user)),
        challenge: (await newChallenge(client)).challenge,
      }),
    ])
      expect((await add(user, response)).text).toBe('{"error":"Passkey not accepted"}');
    expect((await add(mallory, authenticator.create(await optionsFor(user)))).status).toBe(400);
    const created = authenticator.create(await optionsFor(user));
    expect((await add(user, created)).status).toBe(201);
    expect((await add(user, created)).status).toBe(400);
    const again = await optionsFor(user);
    expect(again.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    expect((await add(user, authenticator.create(again))).status).toBe(400);
    expect((await add(mallory, authenticator.create(await optionsFor(mallory)))).status).toBe(400);
    expect((await mallory.get("/api/account/passkeys")).json.passkeys).toEqual([]);
  });

  it("is listed, renamed and removed by its owner; the last one takes the recovery codes with it", async () => {
    const [user, other] = [await client.newUser(), await client.newUser()];
    const { id, authenticator } = await addPasskey(user, ORIGIN);
    const list = async () => (await user.get("/api/account/passkeys")).json.passkeys;
    expect(await list()).toEqual([{ id, name: "Laptop", createdAt: expect.any(String), lastUsedAt: null }]);
    const path = `/api/account/passkeys/${id}`;
    expect((await other.patch(path, { name: "theirs" })).text).toBe('{"error":"Passkey not found"}');
    expect((await other.delete(path)).status).toBe(404);
    expect((await user.patch(path, { name: "Key ring" })).status).toBe(200);
    await login(authenticator.get(await newChallenge(client)));
    expect((await list())[0]).toMatchObject({ name: "Key ring", lastUsedAt: expect.any(String) });
    expect((await user.delete(path)).status).toBe(200);
    expect((await user.delete(path)).status).toBe(404);
    expect((await user.get("/api/account/factors")).json).toEqual({
      hasPassword: true,
      hasTotp: false,
      recoveryCodesLeft: 0,
    });
    expect((await login(authenticator.get(await newChallenge(client)))).status).toBe(401);
    await client.signIn(user.email);
  });
});

describe("recovery codes", () => {
  it("are replaced by ten new ones, and none without a factor", async () => {
    const user = await client.newUser();
    expect((await user.post("/api/account/recovery-codes", {})).status).toBe(409);
    const { recoveryCodes } = await addApp(user);
    const renewed = (await user.post("/api/account/recovery-codes", {})).json.recoveryCodes;
    expect(renewed).toHaveLength(10);
    const recover = async (recoveryCode: string) =>
      secondStep((await firstStep(client, user.email)).token, { recoveryCode });
    expect((await recover(recoveryCodes[0] ?? "")).status).toBe(401);
    expect((await recover(renewed[0])).status).toBe(200);
    expect((await user.get("/api/account/factors")).json.recoveryCodesLeft).toBe(9);
  });
});

describe("confirming", () => {
  const CONFIRM = '{"error":"Confirm that it is you."}';

  it("is asked for ten minutes after the last proof, and the header names the ways", async () => {
    const user = await client.newUser();
    await user.verify?.();
    const acts: [method: string, path: string][] = [
      ["POST", "/api/account/totp"],
      ["POST", "/api/account/totp/confirm"],
      ["DELETE", "/api/account/totp"],
      ["POST", "/api/account/recovery-codes"],
      ["POST", "/api/account/passkeys/options"],
      ["DELETE", "/api/account/passkeys/4711"],
    ];
    await longAgo(user);
    for (const [method, path] of acts) {
      const refused = await user.request(method, path, { body: {} });
      expect([refused.status, refused.text, refused.headers.get("whytrace-confirm")]).toEqual([
        403,
        CONFIRM,
        "password",
      ]);
    }
    const confirm = (body: object) => user.post("/api/auth/confirm", body);
    for (const body of [{ password: "wrong password" }, { code: "123456" }, {}]) {
      const refused = await confirm(body);
      expect([refused.status, refused.text]).toEqual([401, '{"error":"That was not right"}']);
    }
    const failed = async () =>
      (await user.get(`${await prefixOf(booted.db, user)}/api/audit?action=sign-in.failed`)).json.events.map(
        ({ details }: { details: object }) => details,
      );
    // They are recorded after the response.
    await expect
      .poll(failed)
      .toEqual(
        expect.arrayContaining(
          ["password", "totp", "passkey"].map((method) => ({ method, purpose: "confirm" })),
        ),
      );
    expect((await confirm({ password: PASSWORD })).json).toEqual({ success: true });
    expect((await user.post("/api/account/totp", {})).status).toBe(201);
  });

  it("takes no password from a person with a second factor, and nobody else's factor", async () => {
    const [user, mallory] = [await client.newUser(), await client.newUser()];
    const { authenticator } = await addPasskey(user, ORIGIN);
    const { secret } = await addApp(user);
    const theirs = await addPasskey(mallory, ORIGIN);
    await longAgo(user);
    const refused = await user.post("/api/account/recovery-codes", {});
    expect(refused.headers.get("whytrace-confirm")).toBe("passkey, totp, recovery");
    const confirm = (body: object) => user.post("/api/auth/confirm", body);
    const stranger = theirs.authenticator.get(await newChallenge(client));
    for (const body of [
      { password: PASSWORD },
      { passkey: stranger },
      { recoveryCode: "" },
      { code: wrongOf(secret) },
    ])
      expect((await confirm(body)).status).toBe(401);
    expect((await user.post("/api/account/recovery-codes", {})).status).toBe(403);
    expect((await confirm({ passkey: authenticator.get(await newChallenge(client)) })).status).toBe(200);
    expect((await user.post("/api/account/recovery-codes", {})).status).toBe(200);
    await longAgo(user);
    expect((await confirm({ code: appCode(secret) })).status).toBe(200);
    expect((await user.delete("/api/account/totp")).status).toBe(200);
  });
});

describe("a person who lost every factor", () => {
  it("is let in again by the operator alone: a reset password removes no factor", async () => {
    const user = await client.newUser();
    await addPasskey(user, ORIGIN);
    await addApp(user);
    const operator = new Operator(booted.databaseUrl);
    const link = new URL((await operator.resetLink(ORIGIN, user.email)) ?? "");
    const token = link.searchParams.get("token");
    expect((await client.post("/api/auth/reset-password", { token, password: PASSWORD })).status).toBe(200);
    expect((await firstStep(client, user.email)).methods).toEqual(["passkey", "totp", "recovery"]);
    expect(await operator.resetSecondFactor("nobody@example.test")).toBe(false);
    expect(await operator.resetSecondFactor(user.email.toUpperCase())).toBe(true);
    await operator.close();
    const again = await client.signIn(user.email);
    expect((await again.get("/api/auth/session")).json.signIn.hasSecondFactor).toBe(false);
  });
});

describe("a stranger", () => {
  it("does not learn who has an account, a second factor or no password", async () => {
    const [plain, strong, without] = [await client.newUser(), await client.newUser(), await client.newUser()];
    await addPasskey(strong, ORIGIN);
    await sql`update users set password_hash = null where id = ${without.userId}`.execute(booted.db);
    const emails = [plain.email, strong.email, without.email, "nobody@example.test"];
    const answers = await Promise.all(
      emails.map((email) =>
        new Client(client.url).post("/api/auth/login", { email, password: "wrong password" }),
      ),
    );
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([401, '{"error":"Invalid email or password"}']);
      expect([...headers.keys()].sort()).toEqual([...(answers[0]?.headers.keys() ?? [])].sort());
    }
  });

  it("waits as long for each of them", async () => {
    const strong = await client.newUser();
    await addPasskey(strong, ORIGIN);
    const msOf = async (email: string) => {
      const startedAt = performance.now();
      await new Client(client.url).post("/api/auth/login", { email, password: "wrong password" });
      return performance.now() - startedAt;
    };
    // The shortest times, in turn: other work of the machine only adds to them.
    const times = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    for (let count = 0; count < 12; count += 1) {
      times.known = Math.min(times.known, await msOf(strong.email));
      times.unknown = Math.min(times.unknown, await msOf("nobody@example.test"));
    }
    // Verifying a password takes most of the time; without it, an answer would take a fraction.
    expect(times.known / times.unknown).toBeLessThan(2.5);
    expect(times.unknown / times.known).toBeLessThan(2.5);
  });

  it("is told the same about passkeys, whoever asks", async () => {
    const { challenge, ...options } = await newChallenge(client);
    expect(challenge).toMatch(/^[\w-]{43}$/);
    expect(options).toEqual({
      rpId: "localhost",
      allowCredentials: [],
      userVerification: "required",
      timeout: 300_000,
    });
  });
});

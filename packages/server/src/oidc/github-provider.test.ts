import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, type TestResponse } from "@whytrace/testing/server/client.ts";
import { cookiesOf } from "@whytrace/testing/server/identity-provider.ts";
import { afterAll, expect, it } from "vitest";

interface Person {
  id: number;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

const CLIENT = { id: "whytrace", secret: "a secret of the test" };
/** Challenges of codes, and whose they are. */
const codes = new Map<string, { challenge: string; person: Person }>();
const tokens = new Map<string, Person>();

/** What GitHub Enterprise answers, as far as sign-in needs it. */
const github = createServer(async (request, response) => {
  const send = (value: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  const form = new URLSearchParams(await text(request));
  if (request.url === "/login/oauth/access_token") {
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const digest = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (!code || form.get("client_secret") !== CLIENT.secret || digest.digest("base64url") !== code.challenge)
      // GitHub answers 200 with an error.
      return send({ error: "bad_verification_code", error_description: "The code is incorrect or expired." });
    const token = randomUUID();
    tokens.set(token, code.person);
    return send({ access_token: token, token_type: "bearer", scope: "user:email" });
  }
  const person = tokens.get(request.headers.authorization?.replace(/^bearer /i, "") ?? "");
  if (!person) return send({ message: "Bad credentials" }, 401);
  if (request.url === "/api/v3/user") return send({ id: person.id, login: "ada", name: null });
  if (request.url === "/api/v3/user/emails") return send(person.emails);
  return send({ message: "Not Found" }, 404);
}).listen(0, "127.0.0.1");
await once(github, "listening");
afterAll(() => {
  github.closeAllConnections();
  github.close();
});

const { client } = await boot({
  OIDC_PROVIDERS: "github",
  OIDC_GITHUB_KIND: "github",
  OIDC_GITHUB_NAME: "GitHub",
  OIDC_GITHUB_ISSUER: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
  OIDC_GITHUB_CLIENT_ID: CLIENT.id,
  OIDC_GITHUB_CLIENT_SECRET: CLIENT.secret,
});

let people = 0;
const newPerson = (email = `${randomUUID()}@corp.test`): Person => {
  people += 1;
  return {
    id: people,
    emails: [
      { email: "other@corp.test", primary: false, verified: true },
      { email, primary: true, verified: true },
    ],
  };
};
/** To GitHub and back; `change` may tamper with what the browser brings. */
async function walk(person: Person, change: (query: URLSearchParams) => void = () => {}) {
  const started = await new Client(client.url).get("/api/auth/oidc/github");
  const asked = new URL(started.headers.get("location") ?? "").searchParams;
  expect([asked.get("code_challenge_method"), asked.get("scope")]).toEqual(["S256", "user:email"]);
  const code = randomUUID();
  codes.set(code, { challenge: asked.get("code_challenge") ?? "", person });
  const query = new URLSearchParams({ code, state: asked.get("state") ?? "" });
  change(query);
  const back = new Client(client.url, cookiesOf(started));
  return back.get(`/api/auth/oidc/github/callback?${query}`);
}
const sessionOf = async (response: TestResponse) =>
  (await new Client(client.url, cookiesOf(response)).get("/api/auth/session")).json;
const refusal = (response: TestResponse) => response.headers.get("location");

it("knows a person by the number at GitHub, and takes the primary verified address", async () => {
  const person = newPerson();
  const first = await sessionOf(await walk(person));
  expect(first).toMatchObject({
    user: { email: person.emails[1]?.email, isEmailVerified: true, name: "ada" },
    signIn: { methods: ["oidc:github"] },
  });
  const moved = await sessionOf(await walk({ ...newPerson(), id: person.id }));
  expect(moved.user).toEqual(first.user);
  // Somebody else who has the address now does not get the account.
  expect(refusal(await walk(newPerson(first.user.email)))).toBe("/login?error=link-needed");
});

it("refuses an address that GitHub has not verified, a forged code and another state", async () => {
  const unverified = newPerson();
  unverified.emails = [{ email: "new@corp.test", primary: true, verified: false }];
  expect(refusal(await walk(unverified))).toBe("/login?error=unverified-email");
  const forged = await walk(newPerson(), (query) => query.set("code", "forged"));
  expect(refusal(forged)).toBe("/login?error=provider");
  const mixed = await walk(newPerson(), (query) => query.set("state", "another"));
  expect(refusal(mixed)).toBe("/login?error=expired");
});

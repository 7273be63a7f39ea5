import { randomUUID } from "node:crypto";
import { boot } from "@whytrace/testing/server/boot.ts";
import { CertifiedProvider, OTHER_CLIENT } from "@whytrace/testing/server/certified-provider.ts";
import { Client, type TestResponse } from "@whytrace/testing/server/client.ts";
import { cookiesOf } from "@whytrace/testing/server/identity-provider.ts";
import { expect, it } from "vitest";

const ORIGIN = "http://localhost:3000";
const provider = new CertifiedProvider();
const { client } = await boot({ ...(await provider.settings(ORIGIN)), PUBLIC_URL: ORIGIN });

/** A browser that was sent to the provider, and comes back with an answer that `change` may have altered. */
async function start() {
  const started = await new Client(client.url).get("/api/auth/oidc/corp");
  const location = new URL(started.headers.get("location") ?? "");
  const comeBack = (query: URLSearchParams) =>
    new Client(client.url, cookiesOf(started)).get(`/api/auth/oidc/corp/callback?${query}`);
  return { location, asked: location.searchParams, comeBack };
}
const answerAt = (location: URL) => provider.signIn(location.href, `ada-${randomUUID()}`);
const hasSession = (response: TestResponse) => cookiesOf(response).includes("whytrace_session=");
const refused = (response: TestResponse) => [response.headers.get("location"), hasSession(response)];
const BY_PROVIDER = ["/login?error=provider", false];

it("signs in somebody whom a certified provider let in", async () => {
  const { location, comeBack } = await start();
  const signedIn = await comeBack(await answerAt(location));
  expect([signedIn.headers.get("location"), hasSession(signedIn)]).toEqual(["/", true]);
  const session = await new Client(client.url, cookiesOf(signedIn)).get("/api/auth/session");
  expect(session.json.user).toMatchObject({ name: "Ada", isEmailVerified: true });
});

it("signs in at a provider that takes the secret in a header only", async () => {
  const strict = new CertifiedProvider();
  const settings = await strict.settings(ORIGIN, "client_secret_basic");
  const { client: other } = await boot({ ...settings, PUBLIC_URL: ORIGIN });
  const started = await new Client(other.url).get("/api/auth/oidc/corp");
  const answer = await strict.signIn(started.headers.get("location") ?? "", `ada-${randomUUID()}`);
  const browser = new Client(other.url, cookiesOf(started));
  expect(hasSession(await browser.get(`/api/auth/oidc/corp/callback?${answer}`))).toBe(true);
});

it("takes a code once", async () => {
  const first = await start();
  const answer = await answerAt(first.location);
  expect(hasSession(await first.comeBack(answer))).toBe(true);
  const second = await start();
  const again = new URLSearchParams(answer);
  again.set("state", second.asked.get("state") ?? "");
  expect(refused(await second.comeBack(again))).toEqual(BY_PROVIDER);
});

it("refuses the state, nonce or challenge of another flow, and another application's code", async () => {
  const other = await start();
  const stateless = await start();
  const answer = await answerAt(stateless.location);
  answer.set("state", other.asked.get("state") ?? "");
  expect(refused(await stateless.comeBack(answer))).toEqual(["/login?error=expired", false]);
  for (const [name, value] of [
    ["nonce", other.asked.get("nonce") ?? ""],
    ["code_challenge", other.asked.get("code_challenge") ?? ""],
    ["client_id", OTHER_CLIENT],
  ] as const) {
    const flow = await start();
    flow.asked.set(name, value);
    expect([name, refused(await flow.comeBack(await answerAt(flow.location)))]).toEqual([name, BY_PROVIDER]);
  }
});

it("refuses an answer without its issuer, or with another one", async () => {
  for (const issuer of [undefined, "https://other.example"]) {
    const { location, comeBack } = await start();
    const answer = await answerAt(location);
    expect(answer.has("iss")).toBe(true);
    if (issuer === undefined) answer.delete("iss");
    else answer.set("iss", issuer);
    expect(refused(await comeBack(answer))).toEqual(BY_PROVIDER);
  }
});

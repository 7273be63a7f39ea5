import { hash32ToHex, optionName, signatureToHex, signDecision } from "@whytrace/contract";
import { demoMonth, demoRefund, demoScores } from "@whytrace/demo";
import { openBrowser, openPage, type WatchedPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { ViewportSize } from "playwright-core";
import { vi } from "vitest";
import { supportRun } from "../../lab/bench/dashboard/sample-traces.ts";
import { paths } from "../../packages/dashboard/src/paths.ts";

type Path = (typeof paths)[keyof typeof paths];
/** A path with a parameter needs a record that the workspace has; any other one may do with its own address. */
type Addresses = Record<Extract<Path, `${string}$${string}`>, string> & Record<string, string>;

const AGENT = "support-agent: refund request";
const LONG_NAME =
  "research-agent: compare the suppliers of a component with all of their certificates and prices";
const BATCH_SIZE = 20;

/** A run that failed opens with its details; this one, with long names and deep spans, without them. */
export const LONG_TRACE = "/traces/long";
export const LONG_SESSION = "/sessions/suppliers";

/** Would run as a script if a page did not escape it. */
const HOSTILE = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>javascript:window.hacked=1'{{1}}`;
/** Has it in every field. */
export const HOSTILE_TRACE = "/traces/trace-with-everything";

export interface EveryPage {
  /** Opens a path of the dashboard, or an address, and waits until its data is there. */
  open(path: string, colorScheme: "light" | "dark", viewport?: ViewportSize): Promise<WatchedPage>;
}

/** A browser, and a server with a workspace that has something to show on every page. */
export async function everyPage(): Promise<EveryPage> {
  const browser = await openBrowser();
  const booted = await bootAtOrigin({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
  const { client, db } = booted;
  const user = await newSender(client, db);
  await verifyAddress(db, user);
  await addMember(db, user, await client.newUser(), "viewer");
  const addresses = await fill(user);
  const options = { reducedMotion: "reduce" } as const;
  const visitor = await browser.newContext(options);
  const member = await signedInContext(browser, user, options);
  return {
    async open(path, colorScheme, viewport) {
      const url = client.url + (addresses[path] ?? path);
      // Pages that need no session are shown to those who have none.
      const { status } = await fetch(url, { redirect: "manual" });
      const watched = await openPage(status === 200 ? visitor : member);
      const { page } = watched;
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      await page.locator("h1, h2").first().waitFor();
      await waitUntilLoaded(page);
      return watched;
    },
  };
}

/** A trace with a hostile string in every text field. */
const hostileTrace = () =>
  trace({
    id: "trace-with-everything",
    name: `support-agent ${HOSTILE}`,
    sessionId: `session ${HOSTILE}`,
    tags: ["prod", "eu", HOSTILE, "fourth"],
    totalCost: 0.0042,
    totalTokens: 12_400,
    totalDuration: 1_240,
    metadata: { [HOSTILE]: HOSTILE },
    spans: [
      span({
        id: "m",
        metadata: { model: HOSTILE, inputTokens: 100, cacheReadTokens: 40, outputTokens: 10 },
      }),
      span({
        id: "s",
        input: { [HOSTILE]: HOSTILE },
        output: HOSTILE,
        status: "ERROR",
        statusMessage: HOSTILE,
      }),
    ],
    decisionPoints: [
      decision({
        reasoning: HOSTILE,
        chosen: { name: HOSTILE },
        alternatives: [HOSTILE],
        contextSnapshot: { [HOSTILE]: 1 },
      }),
    ],
    events: [event({ name: HOSTILE, metadata: { [HOSTILE]: HOSTILE } })],
  });

async function fill(user: Sender): Promise<Addresses> {
  const now = new Date();
  const refund = { ...demoRefund(now), id: "refund" };
  const month = [...demoMonth({ seed: 7, now, traces: 160 })];
  const deep = Array.from({ length: 6 }, (_, level) =>
    span({
      id: `level-${level}`,
      name: `${level} steps below the ${LONG_NAME}`,
      ...(level > 0 && { parentSpanId: `level-${level - 1}` }),
    }),
  );
  const long = trace({
    id: "long",
    name: LONG_NAME,
    sessionId: "suppliers",
    startedAt: now.toISOString(),
    tags: ["production", "eu-west", "nightly-evaluation"],
    spans: deep,
  });
  const traces = [...month, long, refund, supportRun(Date.parse("2026-01-02T03:04:05.000Z")), hostileTrace()];
  for (let from = 0; from < traces.length; from += BATCH_SIZE)
    expectStatus(await user.send(traces.slice(from, from + BATCH_SIZE)), 200);
  expectStatus(
    await user.request("POST", "/api/scores", {
      body: { scores: [...month, refund].flatMap(demoScores).slice(0, 1_000) },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
  const decided = refund.decisionPoints.find(({ chosen }) => optionName(chosen) === "refund_api");
  if (!decided) throw new Error("The demo refund does not choose refund_api");
  const { signature, step, option } = signDecision(decided);
  const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
  const rule = {
    agent: AGENT,
    type: decided.type,
    option,
    kind: "never",
    note: "a person decides",
    ...hashes,
  };
  expectStatus(await user.post("/api/insights/rules", rule), 201);
  expectStatus(await user.patch("/api/account", { name: HOSTILE }), 200);
  expectStatus(await user.post("/api/keys", { name: HOSTILE }), 201);
  expectStatus(await user.put("/api/prices", { model: HOSTILE, inputUsd: 1, outputUsd: 2 }), 200);
  await user.put("/api/prices", { model: "our-own-model-with-a-long-name-*", inputUsd: 1.6, outputUsd: 6.4 });
  const channel = { kind: "webhook", name: "our receiver", url: `${user.url}/hook` };
  expectStatus(await user.post("/api/alerts/channels", channel), 201);
  const silence = { kind: "no_runs", name: "silence", agent: AGENT, forMinutes: 60 };
  expectStatus(await user.post("/api/alerts/rules", silence), 201);
  const share = await user.post(`/api/traces/${refund.id}/shares`, {});
  const invitation = await user.post("/api/invitations", { email: "guest@example.test" });
  const issue = await vi.waitUntil(async () => (await user.get("/api/issues")).json.issues[0], {
    timeout: 60_000,
  });
  const agent = encodeURIComponent(AGENT);
  const hostileAgent = encodeURIComponent(`support-agent ${HOSTILE}`);
  const sessionId = month.find((one) => one.sessionId !== null)?.sessionId ?? "";
  return {
    [paths.issue]: `/issues/${issue.number}`,
    [paths.trace]: `/traces/${refund.id}`,
    [paths.scorecard]: `/why/${hashes.signature}`,
    [paths.decisionMap]: `/why/map?agent=${agent}`,
    [paths.agent]: `/agents/${agent}`,
    [paths.releases]: `/agents/${agent}/releases`,
    "/agents/hostile": `/agents/${hostileAgent}`,
    "/agents/hostile/releases": `/agents/${hostileAgent}/releases`,
    "/sessions/hostile": `/sessions/${encodeURIComponent(`session ${HOSTILE}`)}`,
    [paths.compare]: `/compare?a=${refund.id}`,
    [paths.agentSession]: `/sessions/${encodeURIComponent(sessionId)}`,
    [paths.shared]: new URL(share.json.url).pathname,
    [paths.invitation]: pathOf(invitation.json.url),
    [paths.cli]: "/cli?challenge=a-challenge&port=1&name=laptop",
    [paths.resetPassword]: "/reset-password?token=x",
    [paths.verifyEmail]: "/verify-email?token=x",
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

import { type Blame, blameSentence } from "@whytrace/contract";
import { otlpRun } from "@whytrace/lab/worlds/otlp-run.ts";
import type { WorldRun } from "@whytrace/lab/worlds/world.ts";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

const RUNS = 300;
const STEP_MS = 30 * 60_000;
/** Of each sender. */
const FAILURES = Number(process.env.FAILED_RUNS ?? 2);
const HEIGHT = 844;
const WIDTHS = { desktop: 1280, phone: 390 } as const;
const SENDERS = ["SDK", "OpenTelemetry"] as const;

interface Failure {
  blame: Blame;
  /** Whether the first suspect is the decision that was made to do harm. */
  isFound: boolean;
}

interface Workspace {
  user: Sender;
  failures: Failure[];
}

let browser: Browser;
let booted: Booted;
let workspaces: Record<(typeof SENDERS)[number], Workspace>;

beforeAll(async () => {
  booted = await bootAtOrigin();
  workspaces = { SDK: await seed("SDK"), OpenTelemetry: await seed("OpenTelemetry") };
  browser = await openBrowser();
});

/** Sends runs of an agent whose fault is known to a workspace of its own, and returns the newest runs that it made fail. */
async function seed(sender: (typeof SENDERS)[number]): Promise<Workspace> {
  const user = await newSender(booted.client, booted.db);
  const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
  const name = `agent by ${sender}`;
  const drawn = worldTraces({ world: "near culprit", name, runs: RUNS, startedAtMs, stepMs: STEP_MS });
  if (sender === "SDK") expectStatus(await user.send(drawn.traces), 200);
  else {
    const resourceSpans = drawn.runs.map((one, index) =>
      otlpRun(one, drawn.agent, {
        traceId: drawn.traces[index]?.id ?? "",
        agent: name,
        startedAtMs: startedAtMs + index * STEP_MS,
        hasDefinitions: true,
      }),
    );
    expectStatus(await sendOtlp(booted.client, user.key, { resourceSpans }), 200);
  }
  const failed = drawn.runs
    .map((run, index) => ({ run, traceId: drawn.traces[index]?.id ?? "" }))
    .filter(({ run }) => run.status === "ERROR" && run.culprits.length > 0)
    .slice(-FAILURES);
  const failures: Failure[] = [];
  for (const { run, traceId } of failed) {
    const blame: Blame = expectStatus(await user.get(`/api/insights/blame/${traceId}`), 200).json;
    failures.push({ blame, isFound: isCulprit(run, blame) });
  }
  expect(failures).toHaveLength(FAILURES);
  return { user, failures };
}

const isCulprit = ({ culprits }: WorldRun, { suspects: [first] }: Blame) =>
  first?.suspicion === "likely" && first.turn !== null && culprits.includes(first.turn);

const visit = async (page: Page, path: string) => {
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
};
const plain = (text: string) => text.replaceAll("`", "").replaceAll(" %", "\u00a0%");
const isOnScreen = async (found: Locator) => {
  const box = await found.boundingBox();
  return box !== null && box.y >= 0 && box.y < HEIGHT;
};

/** Where somebody begins, and what is clicked from there until the run is open. Returns how many clicks that took. */
const WAYS: Record<string, (page: Page, traceId: string) => Promise<number>> = {
  overview: async (page, traceId) => {
    await visit(page, "/?range=30d");
    await page.locator("dl div", { hasText: "Failure rate" }).getByRole("link").click();
    await page.locator(`[data-trace="${traceId}"]`).click();
    return 2;
  },
  list: async (page, traceId) => {
    await visit(page, "/traces?outcome=bad");
    await page.locator(`[data-trace="${traceId}"]`).click();
    return 1;
  },
  link: async (page, traceId) => {
    await visit(page, `/traces/${traceId}`);
    return 0;
  },
};

/** What an open run says at once: its error, and which choice explains it. */
async function readAnswer(page: Page, { blame }: Failure): Promise<string> {
  const line = page.getByRole("region", { name: "What went wrong" });
  await line.getByText(plain(blameSentence(blame).text)).waitFor();
  const error = blame.error?.message ?? blame.error?.name ?? "This run failed";
  await line.getByText(error).first().waitFor();
  expect(await isOnScreen(line)).toBe(true);
  return ((await line.textContent()) ?? "").replaceAll(/\s+/g, " ");
}

/** Opens the decision that the answer names: its card says what else was offered, and how often runs failed after each. */
async function openCard(page: Page, { blame: { suspects } }: Failure) {
  const option = suspects[0]?.option ?? "";
  await page.getByRole("region", { name: "What went wrong" }).getByRole("link", { name: option }).click();
  const card = page
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: "Tool selection" }) });
  const options = card.getByRole("list", { name: "Options" });
  await options.getByText(`${option} (chosen)`).waitFor();
  await options
    .getByText(/% of \d+/)
    .first()
    .waitFor();
  expect(new URL(page.url()).searchParams.get("decision")).toBe(suspects[0]?.decisionPointId);
  expect(await isOnScreen(options)).toBe(true);
}

describe.each(SENDERS)("a failure sent by %s", (sender) => {
  it("is explained by the decision that did the harm", () => {
    const { failures } = workspaces[sender];
    const found = failures.filter(({ isFound }) => isFound).length;
    process.stdout.write(`${sender}: ${found} of ${failures.length} culprits are the first suspect\n`);
    expect(found / failures.length).toBeGreaterThanOrEqual(0.75);
  });

  it.each(Object.entries(WIDTHS))(
    "names that decision after at most two actions on a %s, and shows its card after one more",
    async (device, width) => {
      const { user, failures } = workspaces[sender];
      const context = await signedInContext(browser, user, { viewport: { width, height: HEIGHT } });
      const { page, pageErrors } = await openPage(context);
      for (const [from, open] of Object.entries(WAYS)) {
        const actions: number[] = [];
        let seen = "";
        for (const failure of failures) {
          actions.push(await open(page, failure.blame.traceId));
          seen = await readAnswer(page, failure);
          await openCard(page, failure);
        }
        process.stdout.write(
          `${sender}, ${device}, from ${from}: ${failures.length} failures, named after ${Math.min(...actions)} to ` +
            `${Math.max(...actions)} actions, its card one later\n  ${seen}\n`,
        );
        expect(Math.max(...actions), from).toBeLessThanOrEqual(2);
      }
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sampleOf } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

/** Requests of real instrumentations. They are not part of the repository. */
const CAPTURES = new URL("../../../shared/otlp/fixtures/", import.meta.url);
const names = sampleOf(existsSync(CAPTURES) ? readdirSync(CAPTURES) : []);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CAPTURES), "utf8"));

/** What the tools of the captured agent answered. */
const RESULTS = [
  "shipped",
  "Leipzig hub",
  "Refunds are possible from 14 days",
  "carrier API answered 503 for ZX-77",
];
/** The spans of which a transcript consists. */
const IN_TRANSCRIPT = ["LLM_CALL", "TOOL_CALL"];
/** So high that all of a transcript is in the document. */
const VIEWPORT = { width: 1280, height: 12_000 };

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  if (names.length === 0) return;
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

interface Shown {
  /** The texts of the messages of model calls, with their role. */
  messages: { role: string; text: string }[];
  whole: string;
}

/** Runs in the page. */
function readTranscript(): Shown {
  const section = document.querySelector("section[aria-label=Transcript]");
  const textOf = (element: Element | null | undefined) => element?.textContent ?? "";
  return {
    messages: [...(section?.querySelectorAll("ol ol > li") ?? [])].map(({ children }) => ({
      role: textOf(children[0]),
      text: textOf(children[1]),
    })),
    whole: textOf(section),
  };
}

async function transcriptOf(page: Page, traceId: string): Promise<Shown> {
  await page.goto(`${booted.client.url}/traces/${traceId}?view=transcript`);
  await page
    .getByRole("region", { name: "Transcript" })
    .or(page.getByText("This trace has no model"))
    .waitFor();
  await waitUntilLoaded(page);
  // The results of tools have no skeleton.
  let before = "";
  for (;;) {
    const shown = await page.evaluate(readTranscript);
    if (shown.whole === before) return shown;
    before = shown.whole;
    await page.evaluate("new Promise(requestAnimationFrame)");
    await waitUntilLoaded(page);
  }
}

/** What is wrong with a transcript. */
function faultsOf({ messages, whole }: Shown, stored: string): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { role, text } of messages) {
    const key = text.replaceAll(/\s+/g, "");
    if (key === "") faults.push(`an empty message of ${role}`);
    if (/"lc":|lc_kwargs|lc_serializable/.test(key)) faults.push(`${role} in LangChain's own form: ${text}`);
    if (seen.has(key)) faults.push(`twice: ${role} ${text}`);
    seen.add(key);
  }
  for (const result of RESULTS)
    if (stored.includes(result) && !whole.includes(result)) faults.push(`not shown: ${result}`);
  return faults;
}

describe.skipIf(names.length === 0)("the transcript of captured runs", () => {
  it.each(names)(
    "%s: no message is empty or repeated, and what each tool answered is shown",
    async (name) => {
      const user = await newSender(booted.client, booted.db);
      for (const file of readdirSync(new URL(`${name}/`, CAPTURES))) {
        const [, signal] = /^(request|logs)-\d+\.json$/.exec(file) ?? [];
        if (signal === undefined) continue;
        const kind = signal === "logs" ? "logs" : "traces";
        expectStatus(await sendOtlp(booted.client, user.key, read(`${name}/${file}`), kind), 200);
      }
      const context = await signedInContext(browser, user, { viewport: VIEWPORT, reducedMotion: "reduce" });
      const { page, pageErrors } = await openPage(context);
      for (const { traceId } of read(`${name}/expected.json`).traces) {
        const { spans } = expectStatus(await user.get(`/api/traces/${traceId}`), 200).json;
        const stored = JSON.stringify(
          spans.filter(({ type }: { type: string }) => IN_TRANSCRIPT.includes(type)),
        );
        // What a tool answered is read after the page.
        await expect
          .poll(async () => faultsOf(await transcriptOf(page, traceId), stored), { message: traceId })
          .toEqual([]);
      }
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );
});

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { launch, openPage } from "@whytrace/testing/browser.ts";
import { Mailbox, VERIFY } from "@whytrace/testing/mailbox.ts";
import { freePort } from "@whytrace/testing/postgres.ts";
import { StripeStandin } from "@whytrace/testing/stripe-standin.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const mailbox = new Mailbox();
const stripe = new StripeStandin();
let browser: Browser;
let booted: Booted;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  booted = await boot({
    PORT: String(port),
    PUBLIC_URL: url,
    SMTP_URL: await mailbox.listen(),
    ...(await stripe.settings()),
  });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await mailbox.close();
  await stripe.close();
});

describe("a person", () => {
  it("registers, confirms, gets a key, sends a trace, finds it and its decision, pays, and leaves for good", async () => {
    const { page, complaints } = await openPage(await browser.newContext());
    const email = "ada@example.test";

    // Signed out, a page of one's own leads to the door, and back.
    await page.goto(`${url}/decisions?type=ROUTING`);
    expect(new URL(page.url()).pathname).toBe("/login");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/welcome");

    // The address is confirmed by the link that arrived.
    await page.getByText("Please confirm your address").waitFor();
    const mail = await mailbox.mailTo(email, VERIFY);
    const link = /http:\S+verify-email\?token=[\w-]+/.exec(mail.text ?? "")?.[0] ?? "";
    await page.goto(link);
    await page.getByRole("button", { name: "Confirm address" }).click();
    await page.getByText("Your address is confirmed.").waitFor();
    await page.goto(`${url}/welcome`);
    expect(await page.getByText("Please confirm your address").count()).toBe(0);

    // A key, and the snippet as it stands, run by a shell.
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("the key is shown this once").waitFor();
    expect(await page.getByLabel("SDK snippet").textContent()).toContain('apiKey: "wt_');
    await page.getByText("Curl", { exact: true }).click();
    const snippet = (await page.getByLabel("curl snippet").textContent()) ?? "";
    expect(snippet).toContain("Bearer wt_");
    const script = join(tmpdir(), `whytrace-snippet-${process.pid}.sh`);
    writeFileSync(script, snippet);
    const { stdout } = await promisify(execFile)("bash", [script]);
    expect(JSON.parse(stdout)).toEqual({ success: true, count: 1 });

    // The trace opens by itself.
    await page.getByRole("heading", { name: "my first agent" }).waitFor();
    await page.getByRole("row", { name: /^Decision: / }).click();
    await page.getByText("The question is about policy, and the documents hold it.").waitFor();

    // It is in the list, and filters find it or say that they do not.
    await page.getByRole("link", { name: "Traces", exact: true }).first().click();
    await page.getByRole("link", { name: "my first agent" }).waitFor();
    await page.getByLabel("Name contains").fill("nothing like it");
    await page.getByText("No trace fits these filters").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("nothing like it");
    await page.reload();
    await page.getByText("No trace fits these filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByLabel("Status").selectOption("COMPLETED");
    await page.getByRole("link", { name: "my first agent" }).waitFor();

    // Its decision is found by its reasoning, and leads back to it.
    await page.getByRole("link", { name: "Decisions" }).click();
    await page.getByLabel("Reasoning, choice or trace contains").fill("POLICY");
    await page.getByText("search_docs").waitFor();
    await page.getByRole("link", { name: "my first agent" }).click();
    await page.waitForURL("**/traces/*?decision=d1");
    await page.getByText("The question is about policy, and the documents hold it.").waitFor();

    // Billing opens a checkout at the provider.
    await page.goto(`${url}/settings/billing`);
    await page.getByText("1 of 20 traces today").waitFor();
    await page.route("https://checkout.test/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>Pay here</h1>" }),
    );
    await page.getByRole("button", { name: "Choose STARTER" }).click();
    await page.getByRole("heading", { name: "Pay here" }).waitFor();
    expect(
      stripe.calls.some(
        ({ path, form }) =>
          path === "/v1/checkout/sessions" && form.get("line_items[0][price]") === "price_starter",
      ),
    ).toBe(true);

    // And everything can be deleted.
    await page.goto(`${url}/settings/account`);
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Delete everything" }).click();
    await page.getByText("Current password is incorrect").waitFor();
    await page.getByRole("dialog").getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Delete everything" }).click();
    await page.waitForURL("**/register");
    expect(
      (await booted.client.post("/api/auth/login", { email, password: "correct horse battery" })).status,
    ).toBe(401);
    expect(complaints).toEqual([]);
  });
});

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { freePort } from "@whytrace/testing/free-port.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { FakeStripe } from "@whytrace/testing/server/fake-stripe.ts";
import { Mailbox, VERIFY } from "@whytrace/testing/server/mailbox.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const mailbox = new Mailbox();
const stripe = new FakeStripe();
let browser: Browser;
let booted: Booted;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  booted = await boot(
    {
      PORT: String(port),
      PUBLIC_URL: url,
      SMTP_URL: await mailbox.listen(),
      ...(await stripe.settings()),
    },
    { memberships: 1 },
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await mailbox.close();
  await stripe.close();
});

describe("a new user", () => {
  it("registers, confirms the email, creates a key, sends a trace, finds it and its decision, pays, and deletes the account", async () => {
    const { page, pageErrors } = await openPage(await browser.newContext());
    const email = `ada-${randomUUID()}@example.test`;

    // A signed-out user is redirected to the sign-in page.
    await page.goto(`${url}/decisions?type=ROUTING`);
    expect(new URL(page.url()).pathname).toBe("/login");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/welcome");

    // The link in the email confirms the address.
    await page.getByText("Confirm your email: we sent").waitFor();
    const mail = await mailbox.mailTo(email, VERIFY);
    const link = /http:\S+verify-email\?token=[\w-]+/.exec(mail.text ?? "")?.[0] ?? "";
    await page.goto(link);
    await page.getByRole("button", { name: "Confirm email" }).click();
    await page.getByText("Your email is confirmed.").waitFor();
    await page.goto(`${url}/welcome`);
    expect(await page.getByText("Confirm your email: we sent").count()).toBe(0);

    // The snippet runs in a shell without edits.
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByText("Copy your key now").waitFor();
    expect(await page.getByLabel("OpenTelemetry snippet").textContent()).toContain("Bearer%20wt_");
    await page.getByRole("tab", { name: "curl" }).click();
    const snippet = (await page.getByLabel("curl snippet").textContent()) ?? "";
    expect(snippet).toContain("Bearer wt_");
    const script = join(tmpdir(), `whytrace-snippet-${process.pid}.sh`);
    writeFileSync(script, snippet);
    const { stdout } = await promisify(execFile)("bash", [script]);
    expect(JSON.parse(stdout)).toEqual({ success: true, count: 1 });

    // The trace opens automatically.
    await page.getByRole("heading", { name: "my first agent" }).waitFor();
    await page.getByRole("row", { name: /^Decision: / }).click();
    await page.getByText("The question is about policy, and the documents hold it.").waitFor();

    // The trace is in the list, and filters include or exclude it.
    await page.getByRole("link", { name: "Traces", exact: true }).first().click();
    await page.getByRole("link", { name: "my first agent" }).waitFor();
    await page.getByLabel("Search by name").fill("nothing like it");
    await page.getByText("No traces match these filters").waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("nothing like it");
    await page.reload();
    await page.getByText("No traces match these filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByLabel("Status").selectOption("COMPLETED");
    await page.getByRole("link", { name: "my first agent" }).waitFor();

    // A search finds the decision by its reasoning, and its row links back to the trace.
    await page.getByRole("link", { name: "Decisions" }).click();
    await page.getByLabel("Search reasoning, choices and trace names").fill("POLICY");
    await page.getByText("search_docs").waitFor();
    await page.getByRole("link", { name: "my first agent" }).click();
    await page.waitForURL("**/traces/*?decision=d1");
    await page.getByText("The question is about policy, and the documents hold it.").waitFor();

    // Choosing a plan opens the payment provider's checkout.
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

    // The account can be deleted.
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
    expect(pageErrors).toEqual([]);
  });
});

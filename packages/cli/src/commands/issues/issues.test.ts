import { span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../../test/call.ts";
import { bootSignedIn } from "../../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
const failed = (message: string, fields: Record<string, unknown> = {}) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    startedAt: new Date(Date.now() - 150_000).toISOString(),
    spans: [span({ status: "ERROR", statusMessage: message })],
    ...fields,
  });
const lines = async (...args: string[]) => (await call(args, env)).stdout.trimEnd().split("\n");

describe("issues", () => {
  it("are listed, shown, changed and handed over, with exit codes that scripts can use", async () => {
    const user = await signIn();
    expect(await lines("issues")).toEqual(["0 open issues, 0 regressed, 0 new."]);
    const sent = [
      failed("policy outdated \u001b[2J", { tags: ["release:2.3"] }),
      failed("policy outdated \u001b[2J", { tags: ["release:2.3"] }),
      failed("status code 429", { name: "research-agent", tags: ["release:1.8"] }),
      trace({ name: "support-agent", startedAt: new Date().toISOString() }),
    ];
    expectStatus(await user.send(sent), 200);
    const explained = { unexplained: { reason: "none" } };
    await vi.waitFor(
      async () => expect((await user.get("/api/issues")).json.issues).toMatchObject([explained, explained]),
      30_000,
    );
    const [first, second, last] = await lines("issues", "--sort", "runs");
    expect(first).toMatch(
      /^#\d new {2}policy outdated +support-agent +2 runs +67 % ±\d+ {2}no decision explains it {2}2\.3 {2}[23] min ago$/,
    );
    expect(second).toMatch(/^#\d new {2}status code 429 +research-agent +1 run +100 % ±\d+ /);
    expect(last).toMatch(/^2 open issues, 0 regressed, 2 new\. whytrace issue \d shows one\.$/);
    const number = /^#(\d)/.exec(first ?? "")?.[1] ?? "";
    expect(await lines("issues", "--agent", "research-agent")).toHaveLength(2);
    expect(await lines("issues", "--mine")).toHaveLength(1);
    const json = (await call(["issues", "--json"], env)).stdout.trimEnd().split("\n");
    expect(json.map((line) => JSON.parse(line).number).sort()).toEqual([1, 2]);

    const shown = await call(["issue", `#${number}`], env);
    expect(shown.code).toBe(0);
    for (const part of [
      "policy outdated",
      "support-agent",
      "2 runs",
      "No decision explains this.",
      "2.3",
      "created",
    ])
      expect(shown.stdout).toContain(part);
    expect(shown.stdout).toMatch(new RegExp(`http://[^/]+/w/[^/]+/issues/${number}\\n$`));
    expect(shown.stdout).not.toContain("\u001b[2J");
    expect(JSON.parse((await call(["issue", number, "--json"], env)).stdout)).toMatchObject({
      number: Number(number),
      timeline: [{ kind: "created" }],
    });
    const prompt = await call(["issue", number, "--prompt"], env);
    expect(prompt.stdout).toContain(`get_issue of the MCP server whytrace with issue ${number}.`);
    expect(prompt.stdout).not.toContain("policy");

    const failOn = async (...args: string[]) =>
      (await call(["issues", "--fail-on", "new,regressed", ...args], env)).code;
    expect(await failOn()).toBe(1);
    expect(await failOn("--since-release", "2.3")).toBe(1);
    expect(await failOn("--since-release", "9.9")).toBe(0);
    expect((await call(["issues", "--fail-on", "regressed"], env)).code).toBe(0);

    expect(await lines("issue", "comment", number, "the cache again")).toEqual([`Commented on #${number}.`]);
    expect(await lines("issue", "resolve", number, "--in", "next", "--note", "fixed")).toEqual([
      `#${number} is resolved: policy outdated`,
    ]);
    expect((await user.get(`/api/issues/${number}`)).json.resolution).toMatchObject({
      in: "next",
      note: "fixed",
    });
    expect(await lines("issue", "reopen", number)).toEqual([`#${number} is ongoing: policy outdated`]);
    expect(await lines("issue", "resolve", number, "--release", "2.4")).toEqual([
      `#${number} is resolved: policy outdated`,
    ]);
    expect(await lines("issue", "ignore", number, "--runs", "10")).toEqual([
      `#${number} is ignored: policy outdated`,
    ]);
  });

  it("name the reason of the newest run that they are about", async () => {
    const user = await signIn();
    expectStatus(await user.send([failed("policy outdated", { id: "run" })]), 200);
    for (const name of ["helpful", "polite"])
      await call(["score", "run", name, "false", "--source", "user", "--key", user.key], env);
    await vi.waitFor(async () => expect((await user.get("/api/issues")).json.issues).toHaveLength(3), 30_000);
    const { issues } = (await user.get("/api/issues")).json;
    const commandOf = async (title: string) => {
      const { number } = issues.find((one: { title: string }) => one.title === title);
      return (await lines("issue", String(number)))
        .find((line) => line.startsWith("Newest run"))
        ?.split("   ")
        .at(-1);
    };
    expect(await commandOf("policy outdated")).toBe("whytrace why run");
    const shown = [];
    for (const name of ["helpful", "polite"]) {
      const [command = "", ...args] = ((await commandOf(`${name} is bad`)) ?? "").split(" ");
      expect([command, args.slice(0, -1)]).toEqual(["whytrace", ["why", "run", "--reason"]]);
      const { blame } = JSON.parse((await call([...args, "--json"], env)).stdout);
      shown.push(blame.reason.text);
    }
    expect(shown).toEqual([expect.stringContaining("helpful"), expect.stringContaining("polite")]);
  });

  it("that do not exist exit with 4, and invalid options with 2", async () => {
    await signIn();
    for (const args of [
      ["issue", "99"],
      ["issue", "99", "--prompt"],
      ["issue", "resolve", "99"],
    ])
      expect((await call(args, env)).code).toBe(4);
    for (const args of [
      ["issue"],
      ["issue", "none"],
      ["issues", "--state", "bad"],
      ["issues", "--sort", "bad"],
      ["issues", "--fail-on", "resolved"],
      ["issues", "--since-release", "1"],
      ["issue", "resolve", "1", "--in", "later"],
      ["issue", "resolve", "1", "--in", "now", "--release", "2"],
      ["issue", "ignore", "1", "--runs", "5", "--until", "2099-01-01"],
    ])
      expect((await call(args, env)).code).toBe(2);
  });
});

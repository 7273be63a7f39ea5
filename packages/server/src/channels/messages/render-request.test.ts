import { CHANNEL_KINDS } from "@whytrace/contract/schemas/alerts/channels";
import { expect, it } from "vitest";
import { asWorkspaceId } from "../../db/workspace-id.ts";
import type { StoredEvent } from "./message.ts";
import { renderRequest, requestUrl } from "./render-request.ts";

const context = {
  workspaceId: asWorkspaceId("w"),
  workspace: { name: "Acme", url: "https://whytrace.test/w/k3v9q2mxab" },
};
const HOSTILE = "<!channel> *bold* @everyone [click](https://evil.example) & more";
const event = (overrides: Partial<StoredEvent> = {}): StoredEvent => ({
  type: "issue.new",
  subject: "issue:12",
  sequence: 1,
  at: "2026-11-18T00:00:00.000Z",
  payload: { issue: { number: 12, title: HOSTILE, agent: "support-agent", runs: 3, share: { value: 0.25 } } },
  ...overrides,
});

it("lets no text of a run notify or link in a chat", () => {
  const slack = renderRequest("slack", [event()], context);
  expect(slack).not.toMatch(/<!channel>|https:\/\/evil/);
  expect(slack).toContain("&lt;!channel&gt;");
  const discord = JSON.parse(renderRequest("discord", [event()], context));
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(discord.embeds[0].title).toContain("\\[click\\]\\(https:\u200b//evil");
  const teams = renderRequest("teams", [event()], context);
  expect(teams).not.toContain("[click](");
});

it("has the link, the agent and the counts in every chat", () => {
  for (const kind of ["slack", "discord", "teams"] as const) {
    const request = renderRequest(kind, [event()], context);
    for (const part of [
      "https://whytrace.test/w/k3v9q2mxab/issues/12",
      "Workspace: Acme",
      "support-agent",
      "3 runs, 25 % of the agent's runs",
    ])
      expect([kind, request.includes(part)]).toEqual([kind, true]);
  }
});

it("keeps the limits of lengths, whatever is escaped", () => {
  const long = event({
    payload: { issue: { number: 1, title: "<&>*".repeat(5_000), agent: "a".repeat(9_000) } },
  });
  const slack = JSON.parse(renderRequest("slack", [long], context));
  expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(150);
  expect(slack.blocks[0].text.text).toMatch(/(&lt;|&amp;|&gt;|\*)…$/);
  expect(slack.blocks[1].text.text.length).toBeLessThanOrEqual(3_000);
  const [embed] = JSON.parse(renderRequest("discord", [long], context)).embeds;
  expect(embed.title.length).toBeLessThanOrEqual(256);
  expect(JSON.parse(renderRequest("opsgenie", [long], context)).message.length).toBeLessThanOrEqual(130);
  expect(Buffer.byteLength(renderRequest("webhook", [long], context))).toBeLessThan(20_000);
});

it("opens and closes one incident of a pager for an issue", () => {
  const resolved = event({ type: "issue.resolved", sequence: 2 });
  const [opened, closed] = [event(), resolved].map((one) =>
    JSON.parse(renderRequest("pagerduty", [one], context)),
  );
  expect([opened.event_action, closed.event_action]).toEqual(["trigger", "resolve"]);
  expect(opened.dedup_key).toBe(closed.dedup_key);
  const url = "https://api.opsgenie.com/v2/alerts";
  expect(requestUrl("opsgenie", url, event(), context)).toBe(url);
  expect(requestUrl("opsgenie", url, resolved, context)).toBe(
    `${url}/whytrace-w-issue%3A12/close?identifierType=alias`,
  );
});

it("tells a pager the severity that a rule says, and error of everything else", () => {
  const rule = { id: "1", name: "spending", kind: "cost_per_day", agent: null };
  const severityOf = (payload: object, type: StoredEvent["type"]) =>
    JSON.parse(renderRequest("pagerduty", [event({ type, payload })], context)).payload.severity;
  expect(severityOf({ rule: { ...rule, severity: "critical" } }, "alert.firing")).toBe("critical");
  expect(severityOf({ rule }, "alert.firing")).toBe("error");
  expect(severityOf(event().payload, "issue.new")).toBe("error");
  expect(severityOf({}, "channel.test")).toBe("info");
});

it("counts issues of a digest, not messages, and lists all of them", () => {
  const others = [1, 2, 2].map((number) =>
    event({
      subject: `issue:${number}`,
      payload: { issue: { number, title: `cause ${number}`, agent: "a" } },
    }),
  );
  const { text, blocks } = JSON.parse(renderRequest("slack", [event(), ...others], { ...context }));
  expect(text).toBe("3 more issues");
  expect(blocks[1].text.text).toMatch(/cause 1.*\n.*cause 2/);
});

it.each(CHANNEL_KINDS)("has a test message for %s", (kind) => {
  const request = renderRequest(kind, [event({ type: "channel.test", payload: {} })], context);
  expect(JSON.parse(request)).toBeTypeOf("object");
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { boot } from "@whytrace/testing/server/boot.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { groups }: { groups: { rules: Rule[] }[] } = parse(read("deploy/monitoring/alerts.yaml"));
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("deploy/monitoring/dashboard.json")) as {
  panels: Panel[];
  templating: { list: { query: string }[] };
};
const panelQueries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const queries = [
  ...rules.map(({ expr }) => expr),
  ...panelQueries,
  ...dashboard.templating.list.map(({ query }) => query),
];

const METRIC = /\b(?:whytrace|process|nodejs)_\w+/g;
const namesIn = (text: string) => [...text.matchAll(METRIC)].map(([name]) => name);
const labelValues = (name: string) =>
  queries.flatMap((query) =>
    [...query.matchAll(new RegExp(`\\b${name}=~?"([^"]+)"`, "g"))].flatMap(([, values = ""]) =>
      values.split("|"),
    ),
  );

// The metrics of mails exist if mails are sent.
const { client } = await boot({ METRICS_TOKEN: "a-token-for-the-metrics-of-this-test", SMTP_URL: "log:" });
let metrics = "";

beforeAll(async () => {
  // The label of a route exists after its first request.
  for (const path of ["/api/traces", "/v1/traces"]) await fetch(client.url + path, { method: "POST" });
  const response = await fetch(`${client.url}/metrics`, {
    headers: { authorization: "Bearer a-token-for-the-metrics-of-this-test" },
  });
  metrics = await response.text();
});

describe("alerting rules and dashboard", () => {
  it("name only metrics that the server has", () => {
    const types = new Map(
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
    );
    const isKnown = (name: string) =>
      types.has(name) || types.get(name.replace(/_(bucket|count|sum)$/, "")) === "histogram";
    const named = new Set(queries.flatMap(namesIn));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !isKnown(name))).toEqual([]);
  });

  it("name only queues that the server has", () => {
    const queues = new Set([...metrics.matchAll(/queue="([^"]+)"/g)].map(([, queue]) => queue));
    expect(labelValues("queue").filter((queue) => !queues.has(queue))).toEqual([]);
  });

  it("name only routes that the server has", () => {
    const routes = new Set([...metrics.matchAll(/route="([^"]+)"/g)].map(([, route]) => route));
    const named = labelValues("route").filter((route) => !route.endsWith(".*"));
    expect(named.filter((route) => !routes.has(route))).toEqual([]);
  });
});

describe("each alert", () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    "%s says what is wrong and what to do",
    (name, rule) => {
      expect(rule.annotations.summary).not.toBe("");
      expect(["page", "ticket"]).toContain(rule.labels.severity);
      expect(rule.annotations.runbook_url).toBe(`docs/operating/alerts.md#${name.toLowerCase()}`);
      expect(read("docs/operating/alerts.md")).toContain(`\n## ${name}\n`);
      if (name !== "WhytraceDown") expect(namesIn(rule.expr)).not.toEqual([]);
    },
  );
});

import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Entry, SearchIndex } from "../browser/search-index.ts";
import { buildSite } from "./build-site.ts";

/** What a newcomer types, and the page that answers it. */
const QUESTIONS: [question: string, page: string][] = [
  ["how do I install the SDK", "/docs"],
  ["send traces from python", "/docs/opentelemetry"],
  ["vercel ai sdk", "/docs/opentelemetry/ai-sdk"],
  ["langchain", "/docs/opentelemetry/langchain"],
  ["nothing arrives", "/docs/troubleshooting"],
  ["401 invalid api key", "/docs/troubleshooting"],
  ["import from langfuse", "/docs/coming-from/langfuse"],
  ["send to two tools at once collector", "/docs/coming-from/sending-to-both"],
  ["docker compose", "/docs/self-hosting"],
  ["systemd nginx", "/docs/operating/without-containers"],
  ["how large a server do I need", "/docs/operating/without-containers"],
  ["back up and restore the database", "/docs/operating/backup"],
  ["delete old traces retention", "/docs/operating"],
  ["remove personal data before sending", "/docs/redaction"],
  ["thumbs up from users", "/docs/feedback"],
  ["what is a decision", "/docs/concepts"],
  ["how are failures counted", "/docs/why"],
  ["slack alert", "/docs/alerts"],
  ["connect claude code or cursor", "/docs/mcp"],
  ["share a trace with somebody without an account", "/docs/sharing"],
  ["add a colleague when registration is closed", "/docs/cli"],
  ["which environment variables are there", "/docs/configuration"],
  ["upgrade to a new version", "/docs/upgrading"],
  ["model prices wrong cost", "/docs/prices"],
  ["my traces do not show up", "/docs/troubleshooting"],
  ["what does pii masking miss", "/docs/masking"],
  ["429 too many requests", "/docs/troubleshooting"],
  ["cannot connect to database", "/docs/troubleshooting"],
  ["hide api keys in prompts", "/docs/masking"],
  ["nextjs", "/docs/opentelemetry/ai-sdk"],
  ["curl example", "/docs"],
  ["invite teammates", "/docs/workspaces"],
  ["single sign on okta", "/docs/sign-in"],
  ["llm as a judge", "/docs/scores"],
  ["aws lambda", "/docs/serverless"],
  ["pydantic ai", "/docs/opentelemetry"],
  ["close my account", "/docs/sign-in"],
  ["log out", "/docs/cli"],
  ["logout", "/docs/sign-in"],
];
/** Words that are the subject of one page, which comes first. */
const SUBJECTS: typeof QUESTIONS = [
  ["alert", "/docs/alerts"],
  ["crewai", "/docs/opentelemetry"],
  ["sign out", "/docs/sign-in"],
  ["delete my account", "/docs/sign-in"],
  ["sampling", "/docs/sdk"],
];

const folder = mkdtempSync(join(tmpdir(), "whytrace-site-"));
let built: Awaited<ReturnType<typeof buildSite>>;
let index: SearchIndex;
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const htmlFiles = () => globSync("**/*.html", { cwd: folder });

beforeAll(async () => {
  built = await buildSite({ folder });
  const entries: Entry[] = JSON.parse(read("search.json"));
  index = new SearchIndex(entries);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the site", () => {
  it("has a page for every page of docs/, and no broken link", () => {
    expect(built.broken).toEqual([]);
    expect(built.pages).toBe(
      globSync(["*.md", "!(renderer|skills)/**/*.md"], { cwd: join(import.meta.dirname, "../..") }).length,
    );
  });

  it("links only to addresses that it has, or that the server has", () => {
    const broken = htmlFiles().flatMap((file) =>
      [...read(file).matchAll(/(?:href|src)="(\/[^"#]*)/g)]
        .map(([, url = ""]) => url)
        .filter((url) => !exists(url))
        .map((url) => `${file}: ${url}`),
    );
    expect(broken).toEqual([]);
  });

  it("has no script and no style that the server's policy refuses", () => {
    const refused = htmlFiles().filter((file) =>
      /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/.test(read(file).replaceAll(/<pre.*?<\/pre>/gs, "")),
    );
    expect(refused).toEqual([]);
  });

  it("has the colours of both themes", () => {
    const [style = ""] = globSync("assets/site-*.css", { cwd: folder });
    expect(read(style)).toMatch(/^:root \{\n {2}--color-bg: #ffffff;/m);
    expect(read(style)).toMatch(/^\[data-theme="dark"\] \{\n {2}--color-bg: #0b0c0e;/m);
  });

  it("loads less than 100 kB of script with the first page", () => {
    const scripts = globSync("assets/*.js", { cwd: folder });
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = scripts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(100_000);
  });

  it("has every page as Markdown, with links to Markdown, and lists them in llms.txt", () => {
    const list = read("llms.txt");
    for (const file of htmlFiles()) expect(list).toContain(`](/docs/${file.replace(/html$/, "md")})`);
    expect(read("index.md")).toContain("](/docs/opentelemetry.md#choose-your-instrumentation)");
    expect(read("skill/SKILL.md")).toMatch(/^---\nname: whytrace\n/);
  });
});

describe("search", () => {
  it.each(QUESTIONS)("%s: finds %s among the first three", (question, page) => {
    const found = index.search(question, 3).map(({ entry }) => entry.url.replace(/#.*/, ""));
    expect(found).toContain(page);
  });

  it.each(SUBJECTS)("%s: finds %s first", (question, page) => {
    expect(index.search(question, 1).map(({ entry }) => entry.url.replace(/#.*/, ""))).toEqual([page]);
  });

  it("finds nothing for a word that is nowhere", () => {
    expect(index.search("xylophonist")).toEqual([]);
  });
});

/** Addresses of the server that are no pages of the site. */
const SERVER_URLS = ["/", "/docs/api"];

function exists(url: string): boolean {
  if (SERVER_URLS.includes(url)) return true;
  const name = url === "/docs" ? "index" : url.replace(/^\/docs\//, "");
  return [name, `${name}.html`].some((file) =>
    statSync(join(folder, file), { throwIfNoEntry: false })?.isFile(),
  );
}

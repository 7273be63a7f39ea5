interface Section {
  title: string;
  /** Paths below docs/. */
  pages: string[];
  /** Only a reader who changes Whytrace wants it: it stands last, closed, and later in search results. */
  isInternal?: boolean;
}

/** All pages of docs/, by what a reader wants. `*` stands for the rest of a folder, in the order of its names. */
export const NAVIGATION: Section[] = [
  {
    title: "Start",
    pages: ["index.md", "first-trace.md", "tour.md", "concepts.md", "words.md", "coding-agents.md"],
  },
  {
    title: "Send traces",
    pages: [
      "opentelemetry.md",
      "opentelemetry/ai-sdk.md",
      "opentelemetry/openai.md",
      "opentelemetry/openai-agents.md",
      "opentelemetry/anthropic.md",
      "opentelemetry/claude-agent-sdk.md",
      "opentelemetry/langchain.md",
      "opentelemetry/*",
      "sdk.md",
      "serverless.md",
      "redaction.md",
    ],
  },
  {
    title: "Find out why",
    pages: [
      "why.md",
      "finding-traces.md",
      "scores.md",
      "feedback.md",
      "guides/*",
      "issues.md",
      "alerts.md",
      "workspaces.md",
      "sharing.md",
      "live.md",
      "prices.md",
      "mcp.md",
    ],
  },
  { title: "Coming from another tool", pages: ["coming-from/*"] },
  {
    title: "Operate",
    pages: [
      "self-hosting.md",
      "operating/without-containers.md",
      "operating/a-team.md",
      "upgrading.md",
      "operating.md",
      "operating/*",
      "sign-in.md",
      "masking.md",
      "billing.md",
      "scaling.md",
    ],
  },
  {
    title: "Reference",
    pages: ["cli.md", "configuration.md", "reading-by-key.md", "troubleshooting.md", "reference/*"],
  },
  {
    title: "Internals",
    pages: ["debugging.md", "spec-gaps.md", "architecture/*", "decisions/*"],
    isInternal: true,
  },
];

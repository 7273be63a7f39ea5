/** The introduction of the API reference. */
export const INTRODUCTION = [
  "Whytrace stores traces of AI agents: what an agent did, and why. With this API you send traces and read them. " +
    "Request and response bodies are JSON, times are ISO 8601, and amounts of money are US dollars.",
  "There are two kinds of credentials. An API key, sent as `Authorization: Bearer wt_…`, does what its scope says: " +
    "`send` stores traces, `read` reads everything that traces hold, and `review` also writes verdicts. All other " +
    "operations need a session: sign in with `POST /api/auth/login`, which sets a cookie that is valid for 7 days. " +
    "A record of another user gets the same response as a record that does not exist.",
  'An error response is `{ "error": "…" }`. Each operation lists its error texts; a word in angle brackets is a ' +
    "placeholder for a value. Every request can also fail with 404 `Not found` (unknown URL), 400 `Malformed URL` or " +
    "414 `URL too long`, and, if it is not valid HTTP, with 400 `Malformed HTTP request`, 408 `Request timed out` or " +
    "431 `Request headers too large`.",
  "The response header `X-Request-Id` contains the id of the request in the server's log.",
].join("\n\n");

/** The sections of the API reference, in order. */
export const TAGS = [
  { name: "Traces", description: "One run of an agent, with its spans, decision points and events." },
  { name: "Saved views", description: "Filters of the list of traces, saved under a name." },
  { name: "Links", description: "Secret links to single traces, for readers without an account." },
  {
    name: "OpenTelemetry",
    description:
      "OTLP over HTTP. The same paths without /api/otel, for example /v1/traces, work as well, so the endpoint of an " +
      "exporter is the address of this server.",
  },
  { name: "Decisions", description: "Decision points of all traces." },
  { name: "Verdicts", description: "What you say about decisions: right, wrong, or what should have been." },
  {
    name: "Scores",
    description: "Judgements of runs, spans and decisions, by users, judges, checks and people.",
  },
  { name: "Feedback", description: "Votes from web pages, which have a token instead of an API key." },
  { name: "Outcomes", description: "What counts as bad, and how runs are judged." },
  { name: "Issues", description: "What bad runs have in common, and what you did about it." },
  { name: "Channels", description: "Where messages about issues and alerts go, and what became of them." },
  { name: "Alerts", description: "Rules on the figures of agents, when they fired, and maintenance." },
  { name: "Masking", description: "What is removed from values before they are stored." },
  { name: "Search", description: "Search inside everything that traces hold." },
  { name: "Statistics", description: "Aggregated numbers over the traces of a time range." },
  {
    name: "Insights",
    description: "Which decisions make the difference: what followed each option, and how runs differ.",
  },
  { name: "Sessions", description: "Agent sessions: traces that share a sessionId." },
  { name: "Prices", description: "Your own prices of models, which take precedence over public ones." },
  { name: "API keys", description: "Keys with which programs send or read traces, at most 10 per member." },
  { name: "Workspaces", description: "Which workspaces you belong to, and the data of one." },
  { name: "Members", description: "Who belongs to a workspace, with which role, and who is invited." },
  { name: "Audit log", description: "What was done in a workspace, by whom and when." },
  { name: "Accounts", description: "Registration, sign-in, sign-out and password reset." },
  {
    name: "Account settings",
    description: "Name, password, sign-in sessions and data of the signed-in user.",
  },
  { name: "Billing", description: "Plans, usage and payment." },
  { name: "Operation", description: "Health checks and the OpenAPI document." },
];

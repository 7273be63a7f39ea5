/** What holds for all operations. */
export const INTRODUCTION = [
  "Whytrace takes in the traces of AI agents and gives them back: what an agent did, and why. Bodies are JSON, times " +
    "are ISO 8601, money is US dollars.",
  "There are two ways to say who you are. An API key, sent as `Authorization: Bearer wt_…`, stores traces. All the " +
    "rest is for a person who has signed in: the session is in the cookie that signing in sets, and lasts 7 days. " +
    "What belongs to somebody else is answered like what does not exist.",
  'An error is `{ "error": "…" }`, and its text says what is wrong. The texts are listed with each operation; a ' +
    "word in angle brackets stands for a value. Any request may also meet 404 `Not found` (there is no such address), " +
    "400 `Malformed URL`, 414 `URL too long`, and, before it is understood at all, 400 `Malformed HTTP request`, " +
    "408 `Request timed out` or 431 `Request headers too large`.",
  "An answer's `X-Request-Id` names the request in the server's log.",
].join("\n\n");

/** The chapters, in order. */
export const TAGS = [
  { name: "Traces", description: "What an agent did: spans, decision points and events of one run." },
  { name: "Decisions", description: "What an agent chose, across all its traces." },
  { name: "Statistics", description: "Figures over all traces of a stretch of time." },
  { name: "Sessions", description: "Traces that belong together by their sessionId." },
  { name: "API keys", description: "What an agent stores its traces with. At most 10 a user." },
  { name: "Accounts", description: "Registering, signing in and out, getting back in." },
  { name: "Account settings", description: "The signed-in person's own name, password, sessions and data." },
  { name: "Billing", description: "Plans, what is used of them, and paying for them." },
  { name: "Operation", description: "For load balancers, orchestrators and tools." },
];

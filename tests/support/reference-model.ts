/*
 * A second, simple implementation of ingest and lists: traces in a Map, and every query scans it. The property test
 * compares the real server with it.
 */

type Fields = Record<string, unknown>;

interface ModelResponse {
  status: number;
  error?: string;
  count?: number;
}

interface ModelTrace {
  owner: string;
  fields: Fields;
}

interface Subscription {
  tier: "FREE" | "PRO";
  limit: number;
  used: number;
}

export interface ListQuery {
  page: number;
  limit: number;
  sort: string;
  status?: string;
  search?: string;
  sessionId?: string;
  tags?: string;
}

const STATUSES = ["RUNNING", "COMPLETED", "ERROR"];
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isDate = (value: unknown) =>
  isText(value) && /^\d{4}-\d\d-\d\dT/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));
const isOptional = (type: string) => (value: unknown) =>
  value === undefined || value === null || typeof value === type;

/** The checks of a record in the order of the specification's table, followed by our own checks. */
type Check = [field: string, isValid: (value: unknown) => boolean, message: (value: unknown) => string];
const needs = (record: string, field: string, kind: string): string =>
  `Each ${record} must have a valid '${field}' (${kind})`;
const CHECKS: Record<"trace" | "decisionPoints" | "spans" | "events", Check[]> = {
  trace: [
    ["id", isText, () => needs("trace", "id", "string")],
    ["name", isText, () => needs("trace", "name", "string")],
    ["startedAt", isDate, () => needs("trace", "startedAt", "ISO date string")],
    ["status", (value) => STATUSES.includes(String(value)), (value) => `Invalid trace status: ${value}`],
    ...["tags", "decisionPoints", "spans", "events"].map(
      (field): Check => [field, Array.isArray, () => `Trace ${field} must be an array`],
    ),
    ["sessionId", isOptional("string"), () => "Invalid trace sessionId: must be a string or null"],
    [
      "totalCost",
      isOptional("number"),
      () => "Invalid trace totalCost: must be a finite number that a double can hold, or null",
    ],
  ],
  decisionPoints: [
    ["id", isText, () => needs("decision point", "id", "string")],
    [
      "type",
      (value) => ["ROUTING", "PLANNING"].includes(String(value)),
      (value) => `Invalid decision point type: ${value}`,
    ],
    ["timestamp", isDate, () => needs("decision point", "timestamp", "ISO date string")],
    ["alternatives", Array.isArray, () => "Decision point alternatives must be an array"],
  ],
  spans: [
    ["id", isText, () => needs("span", "id", "string")],
    ["name", isText, () => needs("span", "name", "string")],
    [
      "type",
      (value) => ["LLM_CALL", "AGENT"].includes(String(value)),
      (value) => `Invalid span type: ${value}`,
    ],
    ["startedAt", isDate, () => needs("span", "startedAt", "ISO date string")],
    ["status", (value) => STATUSES.includes(String(value)), (value) => `Invalid span status: ${value}`],
  ],
  events: [
    ["id", isText, () => needs("event", "id", "string")],
    ["name", isText, () => needs("event", "name", "string")],
    [
      "type",
      (value) => ["RETRY", "ERROR"].includes(String(value)),
      (value) => `Invalid event type: ${value}`,
    ],
    ["timestamp", isDate, () => needs("event", "timestamp", "ISO date string")],
  ],
};
const CHILDREN = ["decisionPoints", "spans", "events"] as const;
export const childrenOf = (trace: Fields, kind: (typeof CHILDREN)[number]) => trace[kind] as Fields[];

function firstError(traces: Fields[]): string | undefined {
  const errorOf = (record: Fields, checks: Check[]) => {
    const failed = checks.find(([field, isValid]) => !isValid(record[field]));
    return failed?.[2](record[failed[0]]);
  };
  for (const trace of traces) {
    const error = errorOf(trace, CHECKS.trace);
    if (error) return error;
    for (const kind of CHILDREN)
      for (const child of childrenOf(trace, kind)) {
        const childError = errorOf(child, CHECKS[kind]);
        if (childError) return childError;
      }
  }
  return undefined;
}

export class ReferenceModel {
  readonly #traces = new Map<string, ModelTrace>();
  readonly #subscriptions = new Map<string, Subscription>();

  addUser(user: string, tier: "FREE" | "PRO", limit: number) {
    this.#subscriptions.set(user, { tier, limit, used: 0 });
  }

  send(user: string, traces: Fields[]): ModelResponse {
    const subscription = this.#subscriptions.get(user);
    if (!subscription) return { status: 403 };
    if (subscription.used >= subscription.limit) {
      const period = subscription.tier === "FREE" ? "day" : "month";
      const error = `Rate limit exceeded. Current plan: ${subscription.tier}. Limit: ${subscription.limit}/${period}. Upgrade at /settings/billing`;
      return { status: 429, error };
    }
    if (traces.length === 0) return { status: 400, error: "Traces array cannot be empty" };
    const error = firstError(traces);
    if (error) return { status: 400, error };
    for (const trace of traces)
      for (const kind of CHILDREN) {
        const ids = childrenOf(trace, kind).map((child) => child.id);
        if (new Set(ids).size < ids.length) return { status: 409, error: "Duplicate trace ID detected" };
      }
    let count = 0;
    for (const trace of traces) {
      const id = String(trace.id);
      const existing = this.#traces.get(id);
      if (existing && existing.owner !== user) continue;
      if (!existing) subscription.used += 1;
      this.#traces.set(id, { owner: user, fields: trace });
      count += 1;
    }
    return { status: 200, count };
  }

  remove(user: string, id: string): ModelResponse {
    if (this.#traces.get(id)?.owner !== user) return { status: 404, error: "Trace not found" };
    this.#traces.delete(id);
    return { status: 200 };
  }

  get(user: string, id: string): Fields | undefined {
    const stored = this.#traces.get(id);
    return stored?.owner === user ? stored.fields : undefined;
  }

  list(user: string, query: ListQuery): { ids: unknown[]; total: number } {
    const tags = (query.tags ?? "")
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "");
    const found = this.#own(user).filter(
      (trace) =>
        (!query.status || trace.status === query.status) &&
        (!query.search || String(trace.name).toLowerCase().includes(query.search.toLowerCase())) &&
        (!query.sessionId || trace.sessionId === query.sessionId) &&
        (tags.length === 0 || tags.some((tag) => (trace.tags as string[]).includes(tag))),
    );
    const sorted = found.sort(TRACE_ORDERS[query.sort]);
    return { ids: paginate(sorted, query).map((trace) => trace.id), total: found.length };
  }

  decisions(
    user: string,
    query: { page: number; limit: number; sort: string; type?: string; search?: string },
  ) {
    const all = this.#own(user).flatMap((trace) =>
      childrenOf(trace, "decisionPoints").map(
        (decision): Fields => ({ ...decision, traceId: trace.id, traceName: trace.name }),
      ),
    );
    const found = all.filter(
      (decision) =>
        (!query.type || decision.type === query.type) &&
        (!query.search ||
          [decision.traceName, decision.reasoning ?? "", JSON.stringify(decision.chosen)].some((text) =>
            String(text)
              .toLowerCase()
              .includes(query.search?.toLowerCase() ?? ""),
          )),
    );
    const sorted = found.sort(DECISION_ORDERS[query.sort]);
    return {
      ids: paginate(sorted, query).map((decision) => [decision.traceId, decision.id]),
      total: found.length,
    };
  }

  sessions(user: string, query: { page: number; limit: number }) {
    const groups = Map.groupBy(
      this.#own(user).filter((trace) => typeof trace.sessionId === "string"),
      (trace) => trace.sessionId,
    );
    const found = [...groups].map(
      ([sessionId, traces]): Fields => ({
        sessionId,
        traceCount: traces.length,
        lastStartedAt: traces.toSorted(byTime("startedAt")).at(-1)?.startedAt,
        status: ["ERROR", "RUNNING", "COMPLETED"].find((status) =>
          traces.some((trace) => trace.status === status),
        ),
      }),
    );
    const sorted = found.sort(descending(inOrder(byTime("lastStartedAt"), byText("sessionId"))));
    return { sessions: paginate(sorted, query), total: found.length };
  }

  #own(user: string): Fields[] {
    return [...this.#traces.values()]
      .filter((stored) => stored.owner === user)
      .map((stored) => stored.fields);
  }
}

const paginate = <T>(items: T[], { page, limit }: { page: number; limit: number }) =>
  items.slice((page - 1) * limit, page * limit);

type Order = (a: Fields, b: Fields) => number;
const byText =
  (field: string): Order =>
  (a, b) =>
    Buffer.compare(Buffer.from(String(a[field])), Buffer.from(String(b[field])));
const byTime =
  (field: string): Order =>
  (a, b) =>
    Date.parse(String(a[field])) - Date.parse(String(b[field]));
const descending =
  (order: Order): Order =>
  (a, b) =>
    order(b, a);
/** Sorts null amounts last in both directions. */
const byAmount =
  (field: string, sign: 1 | -1): Order =>
  (a, b) => {
    const [x, y] = [a[field] ?? null, b[field] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (Number(x) - Number(y));
  };
const inOrder =
  (...orders: Order[]): Order =>
  (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
const TRACE_ORDERS: Record<string, Order> = {
  newest: descending(inOrder(byTime("startedAt"), byText("id"))),
  oldest: inOrder(byTime("startedAt"), byText("id")),
  longest: inOrder(byAmount("totalDuration", -1), byText("id")),
  shortest: inOrder(byAmount("totalDuration", 1), byText("id")),
  costliest: inOrder(byAmount("totalCost", -1), byText("id")),
};
const DECISION_ORDERS: Record<string, Order> = {
  newest: descending(inOrder(byTime("timestamp"), byText("traceId"), byText("id"))),
  oldest: inOrder(byTime("timestamp"), byText("traceId"), byText("id")),
  costliest: inOrder(byAmount("costUsd", -1), byText("traceId"), byText("id")),
};

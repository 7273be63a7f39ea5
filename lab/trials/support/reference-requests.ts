import type { SentShape } from "./trace-shapes.ts";

/** A request that reads, by the name of its route or tool. */
export interface ReferenceRequest {
  route: string;
  /** The parameter that makes this request another one of its route. */
  parameter?: string;
  path: string;
  /** The call of a tool for assistants, with a key that may read. */
  tool?: { name: string; arguments: Record<string, unknown> };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: { enum?: string[] };
}

/** The parts of the OpenAPI document that are used here. */
export interface ReferenceDocument {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

/** The parts of `tools/list` that are used here. */
export interface ListedTool {
  name: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
}

/** What parameters of the reference can be filled with. */
export interface KnownValues extends Pick<SentShape, "traceId" | "spanId" | "decisionPointId" | "eventId"> {
  otherTraceId: string;
  token: string;
  signature: string;
  agent: string;
  /** Of an issue. */
  number: string;
}

/** These read nothing that a tenant sent, or do not end. */
const OTHERS = /^\/api\/(openapi\.json|health|auth|billing|stream|account\/sessions|keys|prices)/;

/**
 * A request for each route of the reference that reads what a tenant stored, and one more for each optional parameter with
 * a known value. Throws at a required parameter without one, so that a new route cannot be forgotten.
 */
export function* referenceRequests(
  { paths }: ReferenceDocument,
  known: KnownValues,
): Generator<ReferenceRequest> {
  const values = valuesOf(known);
  for (const [template, { get: operation }] of Object.entries(paths)) {
    if (!operation || OTHERS.test(template)) continue;
    const { parameters = [] } = operation;
    const value = (name: string) => {
      const found = values[name];
      if (found === undefined) throw new Error(`GET ${template}: no value is known for ${name}`);
      return encodeURIComponent(found);
    };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      value(name === "id" ? idOf(template) : name),
    );
    const inQuery = parameters.filter((parameter) => parameter.in === "query");
    const needed = NEEDED[template] ?? [];
    const [choice, ...required] = inQuery
      .filter((parameter) => parameter.required || needed.includes(parameter.name))
      .sort((a, b) => Number(hasChoices(b)) - Number(hasChoices(a)));
    const query = required.map(({ name }) => `${name}=${value(name)}`);
    const route = `GET ${template}`;
    const choices = choice?.schema?.enum;
    if (!choice) yield { route, path };
    else if (!choices)
      yield { route, path: withQuery(path, [`${choice.name}=${value(choice.name)}`, ...query]) };
    else
      for (const one of choices)
        yield { route, parameter: one, path: withQuery(path, [`${choice.name}=${one}`]) };
    for (const { name, required: isRequired } of inQuery) {
      if (isRequired || needed.includes(name) || values[name] === undefined) continue;
      const all = [choice?.name, ...required.map((parameter) => parameter.name), name, PAIRS[name]];
      const given = all.flatMap((one) => (one === undefined ? [] : `${one}=${value(one)}`));
      yield { route, parameter: name, path: withQuery(path, given) };
    }
  }
}

/** A call of each tool that reads. */
export function* toolRequests(tools: ListedTool[], known: KnownValues): Generator<ReferenceRequest> {
  const values = valuesOf(known);
  for (const { name, inputSchema } of tools) {
    if (name === "record_verdict" || name === "score_trace") continue;
    const required = inputSchema.required ?? [];
    const missing = required.find((field) => values[field] === undefined);
    if (missing) throw new Error(`${name}: no value is known for ${missing}`);
    const base = Object.fromEntries(required.map((field) => [field, values[field]]));
    yield { route: `tool ${name}`, path: "/mcp", tool: { name, arguments: base } };
    for (const field of ["agent", "signature", "b"])
      if (inputSchema.properties?.[field] && !required.includes(field))
        yield {
          route: `tool ${name}`,
          parameter: field,
          path: "/mcp",
          tool: { name, arguments: { ...base, [field]: values[field] } },
        };
  }
}

/** Parameters that may be absent by their schema, and not by their route. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  "/api/scores/queue": ["name", "author"],
  "/api/scores/agreement": ["name", "author"],
  "/api/scores/series": ["name"],
  "/api/insights/verdicts/counts": ["signature"],
  "/api/insights/situation-keys": ["agent"],
  "/api/insights/map/path": ["step"],
};

/** Parameters that are valid only together. */
const PAIRS: Readonly<Record<string, string>> = { tag: "baseTag", release: "baseRelease" };
const hasChoices = ({ schema }: Parameter) => schema?.enum !== undefined;

/** `{id}` names another thing in each path. */
const idOf = (template: string) => (template.startsWith("/api/sessions/") ? "sessionId" : "traceId");

const withQuery = (path: string, query: string[]) => (query.length > 0 ? `${path}?${query.join("&")}` : path);

function valuesOf(known: KnownValues): Record<string, string> {
  const { traceId, otherTraceId, spanId } = known;
  return {
    ...known,
    id: spanId,
    a: traceId,
    b: otherTraceId,
    ids: `${traceId},${otherTraceId}`,
    payloads: "false",
    q: "nothing like it",
    search: "nothing like it",
    field: "tag",
    days: "30",
    limit: "100",
    sessionId: "session 1",
    tags: "tag 1",
    model: "model-1",
    error: "n",
    errorMessage: "error 1",
    choice: "a",
    status: "ERROR",
    sort: "oldest",
    errorsFrom: "1",
    durationFrom: "0",
    costFrom: "0",
    release: "1.0.1",
    baseRelease: "1.0.2",
    tag: "v1.0.1",
    baseTag: "v1.0.2",
    outcome: "ERROR",
    include: "models",
    name: "helpful",
    author: "judge",
    step: "0000000a",
  };
}

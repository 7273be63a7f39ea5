import { STATUS_CODES } from "node:http";
import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";
import type { SessionGuard } from "../auth/require-session.ts";
import { validationMessage } from "../http/validation-message.ts";
import { type ErrorTexts, fieldErrors } from "../http/route-schema.ts";

type Transform = NonNullable<FastifyDynamicSwaggerOptions["transform"]>;

const toJsonSchemas = createJsonSchemaTransform({ zodToJsonConfig: { override: tidy } });

/**
 * What the reference says of one route, from the route's own options: its schemas, its guard, and the errors it
 * declares or that follow from how it is called.
 */
export function describeRoute(guard: SessionGuard): Transform {
  return (input) => {
    const { url, route } = input;
    const { errors = {}, describedBody, ...own } = input.schema ?? {};
    if (!url.startsWith("/api/")) return { schema: { hide: true }, url };
    const isGuarded = [route.onRequest].flat().includes(guard);
    const texts = merge(errors, ...usualErrors(route, isGuarded));
    const { schema } = toJsonSchemas({
      ...input,
      schema: { ...own, ...(describedBody && { body: describedBody }) },
    });
    return {
      url,
      schema: {
        operationId: operationId(route),
        security: isGuarded ? [{ session: [] }] : [],
        ...schema,
        response: { ...named(schema.response ?? NOTHING_SAID), ...describeErrors(texts, own.response) },
      },
    };
  };
}

/** `get-traces-id-outline` for GET /api/traces/:id/outline. */
const operationId = ({ method, url }: RouteOptions) =>
  [String(method).toLowerCase(), ...(url.match(/\w+/g) ?? []).slice(1)].join("-");

/** What the floors answer on a route's behalf. */
function usualErrors({ method, schema = {} }: RouteOptions, isGuarded: boolean): ErrorTexts[] {
  const { body, params, querystring } = schema;
  const refused = [...refusalsOf(querystring), ...refusalsOf(body)];
  return [
    isGuarded ? { 401: ["Unauthorized"] } : {},
    method === "GET" ? {} : { 403: ["Cross-site request refused: this origin is not allowed"] },
    refused.length > 0 ? { 400: refused } : {},
    params || querystring ? { 400: ["Text must not contain NUL characters"] } : {},
    body ? BODY_ERRORS : {},
    isGuarded || method !== "GET"
      ? { 500: ["Internal server error"], 503: ["Service temporarily unavailable"] }
      : {},
  ];
}

const BODY_ERRORS: ErrorTexts = {
  400: [
    "<field>: <what is wrong with it>",
    "Invalid JSON in request body",
    "Request body does not match its Content-Length",
  ],
  413: ["Request body too large"],
  415: ["Content-Type must be application/json"],
};

/** The texts the fields of a body or query have registered. */
function refusalsOf(schema: unknown): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([field, type]) =>
    (fieldErrors.get(unwrap(type))?.texts ?? []).map((text) => validationMessage(field, text)),
  );
}

function unwrap(type: z.core.$ZodType): z.core.$ZodType {
  return type instanceof z.ZodOptional || type instanceof z.ZodNullable ? unwrap(type.unwrap()) : type;
}

function merge(...sets: ErrorTexts[]): ErrorTexts {
  const merged: Record<string, readonly string[]> = {};
  for (const [status, texts] of sets.flatMap((set) => Object.entries(set)))
    merged[status] = [...new Set([...(merged[status] ?? []), ...texts])];
  return merged;
}

/** One answer a status, its texts as examples; a status the route answers in a shape of its own is left to it. */
function describeErrors(errors: ErrorTexts, own: unknown) {
  const answers = Object.entries(errors).filter(([status]) => !isKeyOf(status, own));
  return Object.fromEntries(answers.map(([status, texts]) => [status, describeError(status, texts)]));
}

function describeError(status: string, texts: readonly string[]) {
  return {
    "x-response-description": STATUS_CODES[status],
    ...(["429", "503"].includes(status) && { headers: RETRY_AFTER }),
    type: "object",
    properties: { error: { type: "string" } },
    required: ["error"],
    "x-examples": Object.fromEntries(texts.map((error) => [error, { value: { error } }])),
  };
}

const RETRY_AFTER = {
  "Retry-After": { type: "integer", minimum: 1, description: "Seconds to wait before the next try" },
};

/** For a route that does not describe its success. */
const NOTHING_SAID = { 200: { type: "null" } };

/** Answers without words of their own get their status's. */
function named(answers: unknown) {
  return Object.fromEntries(
    Object.entries(answers ?? {}).map(([status, answer]) => [
      status,
      { "x-response-description": STATUS_CODES[status], ...answer },
    ]),
  );
}

const isKeyOf = (key: string, value: unknown) => typeof value === "object" && value !== null && key in value;

/** Leaves out what zod adds for its own checks, and puts back what it leaves out where a value is transformed. */
function tidy({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { default: value, examples } = z.globalRegistry.get(zodSchema) ?? {};
  Object.assign(jsonSchema, value !== undefined && { default: value }, examples && { examples });
}

import { STATUS_CODES } from "node:http";
import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import { ROLES } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import type { RouteOptions } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";
import { type Guards, NEEDS_PERSON } from "../api-keys/guards.ts";
import { scopeErrors } from "../api-keys/require-scope.ts";
import { TIMED_OUT } from "../http/http-error.ts";
import { UNSTORABLE_TEXTS } from "../http/request/validate-request.ts";
import { validationMessage } from "../http/request/validation-message.ts";
import type { ErrorTexts } from "../http/route-schema.ts";
import { WORKSPACE_RATE_ERRORS } from "../http/workspace-rate.ts";
import type { Access } from "../workspaces/access.ts";
import {
  NO_WORKSPACE,
  roleErrors,
  SEVERAL_WORKSPACES,
  WORKSPACE_NOT_FOUND,
} from "../workspaces/require-member.ts";

type Transform = NonNullable<FastifyDynamicSwaggerOptions["transform"]>;

const toJsonSchemas = createJsonSchemaTransform({ zodToJsonConfig: { override: adjustJsonSchema } });

/**
 * Documents a route from its own options: its schemas, its guard, the errors it declares, and the errors that follow
 * from its method, parameters and body.
 */
export function describeRoute(guards: Guards): Transform {
  return (input) => {
    const { url, route } = input;
    const { errors = {}, describedBody, ...own } = input.schema ?? {};
    if (!url.startsWith("/api/")) return { schema: { hide: true }, url };
    const guard = guardOf(route, guards);
    const texts = merge(errors, ...commonErrors(route, guard));
    const { schema } = toJsonSchemas({
      ...input,
      schema: { ...own, ...(describedBody && { body: describedBody }) },
    });
    return {
      url,
      schema: {
        operationId: operationId(route),
        security: securityOf(guard),
        ...schema,
        response: {
          ...addDescriptions(schema.response ?? UNDOCUMENTED),
          ...describeErrors(texts, own.response),
        },
      },
    };
  };
}

/** Which of the guards the route has. */
function guardOf({ onRequest }: RouteOptions, guards: Guards) {
  const hooks = [onRequest].flat();
  return (["session", "read", "review", "person"] as const).find((name) => hooks.includes(guards[name]));
}

type Guard = ReturnType<typeof guardOf>;

function securityOf(guard: Guard) {
  if (!guard) return [];
  return [{ session: [] }, ...(guard === "read" || guard === "review" ? [{ apiKey: [guard] }] : [])];
}

/** `get-traces-id-outline` for GET /api/traces/:id/outline. */
const operationId = ({ method, url }: RouteOptions) =>
  [String(method).toLowerCase(), ...(url.match(/\w+/g) ?? []).slice(1)].join("-");

/** Errors that guards, hooks and validation return before the handler runs. */
function commonErrors({ method, config, schema = {} }: RouteOptions, guard: Guard): ErrorTexts[] {
  const { body, params, querystring } = schema;
  const invalidFields = [...fieldErrorsOf(querystring), ...fieldErrorsOf(body)];
  return [
    guard ? { 401: ["Unauthorized"], 429: [WORKSPACE_RATE_ERRORS.requests] } : {},
    guard === "read" || guard === "review" ? { 403: scopeErrors(guard) } : {},
    guard === "person" ? { 403: [NEEDS_PERSON] } : {},
    guard ? workspaceErrors(config?.access) : {},
    method === "GET" ? {} : { 403: ["Cross-site request refused: this origin is not allowed"] },
    invalidFields.length > 0 ? { 400: invalidFields } : {},
    params || querystring || body ? { 400: UNSTORABLE_TEXTS } : {},
    body ? BODY_ERRORS : {},
    guard || method !== "GET"
      ? { 500: ["Internal server error"], 503: ["Service temporarily unavailable", TIMED_OUT] }
      : {},
  ];
}

/** Errors of routes about a workspace: which one is meant, and what the role of the member is. */
function workspaceErrors(access: Access | undefined): ErrorTexts {
  const role = ROLES.find((one) => one === access);
  if (!role) return {};
  return {
    400: [SEVERAL_WORKSPACES],
    403: [NO_WORKSPACE, ...roleErrors(role)],
    404: [WORKSPACE_NOT_FOUND],
  };
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

/** The error texts that the fields of a body or query have registered. */
function fieldErrorsOf(schema: unknown): string[] {
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

/** One response per status, with the texts as examples. Skips statuses for which the route has its own schema. */
function describeErrors(errors: ErrorTexts, own: unknown) {
  const undescribed = Object.entries(errors).filter(([status]) => !isKeyOf(status, own));
  return Object.fromEntries(undescribed.map(([status, texts]) => [status, describeError(status, texts)]));
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
  "Retry-After": { type: "integer", minimum: 1, description: "Seconds to wait before retrying" },
};

/** The response of a route without a response schema. */
const UNDOCUMENTED = { 200: { type: "null" } };

/** A response without a description gets the name of its status. */
function addDescriptions(responses: unknown) {
  return Object.fromEntries(
    Object.entries(responses ?? {}).map(([status, response]) => [
      status,
      { "x-response-description": STATUS_CODES[status], ...response },
    ]),
  );
}

const isKeyOf = (key: string, value: unknown) => typeof value === "object" && value !== null && key in value;

/** Removes constraints that only zod uses, and restores defaults and examples that zod drops for transformed values. */
function adjustJsonSchema({
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

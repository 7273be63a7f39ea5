import { isStorable } from "@whytrace/contract";
import { anyText } from "@whytrace/contract/schemas/any-text";
import { validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod";
import { HttpError } from "../http-error.ts";

export const UNSTORABLE_TEXTS = [
  "Text must not contain NUL characters",
  "Text must not contain lone surrogates",
] as const;

/**
 * Validates path, query and body with the schema of the route, and then refuses text that PostgreSQL cannot store or compare. A
 * route gets this for all its fields; those registered as `anyText` are excepted.
 */
export const validateRequest: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  return (data) => {
    const result = validate(data);
    if (typeof result !== "object" || !("value" in result)) return result;
    const error = findUnstorable(route.schema, result.value);
    return error === undefined ? result : { error: new HttpError(400, error) };
  };
};

/** Says what is wrong with a text in validated data; undefined if nothing is. */
export function findUnstorable(schema: unknown, data: unknown): string | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const takesAnyText = (field: string) => shape[field] !== undefined && anyText.has(shape[field]);
  const waiting: unknown[] = isObject(data)
    ? Object.entries(data).filter(([field]) => !takesAnyText(field))
    : [data];
  // A list instead of recursion: a body of 64 KiB can be deeper than the call stack.
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isObject(value)) for (const [key, inner] of Object.entries(value)) waiting.push(key, inner);
    else if (typeof value === "string" && !isStorable(value))
      return UNSTORABLE_TEXTS[value.includes("\0") ? 0 : 1];
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

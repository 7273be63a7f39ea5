import { isExactNumber } from "../../client/parse-exact-json.ts";

export const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
    ? (value as Record<string, unknown>)
    : undefined;

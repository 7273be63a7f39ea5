/* Parsers of URL search parameters. An invalid value counts as absent. */

export const parseOneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((option) => option === value);

export const parseText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

/** Page 1 is the default, so it counts as absent, too. */
export const parsePage = (value: unknown): number | undefined => {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 ? page : undefined;
};

/** Drops empty parameters, so that URLs stay short. */
export const omitEmpty = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;

/** Leaves every parameter a string. The router's default parses JSON, which changes `007`, `1e5` and `true`. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

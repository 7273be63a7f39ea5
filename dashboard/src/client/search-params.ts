/** Reads one search parameter of a list's address: what is not valid counts as absent. */
export const parseOneOf = <T extends string>(allowed: readonly T[], value: unknown): T | undefined =>
  allowed.find((one) => one === value);

export const parseText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

export const parsePage = (value: unknown): number | undefined => {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 ? page : undefined;
};

/** Without the parameters that are not set, so that addresses stay short. */
export const omitEmpty = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T;

/** Every parameter is a text: by default the router would read `007`, `1e5` or `true` as JSON and lose them. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

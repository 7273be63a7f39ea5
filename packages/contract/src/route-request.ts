/** What a request says, for any route. */
export interface RequestParts {
  /** By the names that the path gives them. */
  params?: Readonly<Record<string, string | number>>;
  query?: object;
  body?: unknown;
}

/** The method and path of a request to a route such as `GET /api/traces/:id`. */
export function routeRequest(name: string, { params = {}, query = {} }: RequestParts) {
  const [method = "", pattern = ""] = name.split(" ");
  const path = pattern.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
  return { method, path: path + queryString(query) };
}

/** Builds a query string, leaving out empty values. */
export function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(key, String(value));
  const text = parameters.toString();
  return text && `?${text}`;
}

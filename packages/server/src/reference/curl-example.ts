import type { JsonSchema, Operation } from "./document.ts";

/** A curl command that calls an operation. */
export function curlExample(origin: string, path: string, method: string, operation: Operation): string {
  const media = operation.requestBody?.content["application/json"];
  const body = media && (media.example ?? exampleOf(media.schema));
  const defaultMethod = body === undefined ? "get" : "post";
  const isSignIn = operation.responses["200"]?.headers?.["Set-Cookie"] !== undefined;
  const credentials = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  return [
    `curl${method === defaultMethod ? "" : ` -X ${method.toUpperCase()}`} ${origin}${path.replaceAll(/[{}]/g, "")}`,
    ...(isSignIn ? ["-c cookies.txt"] : []),
    ...(credentials.includes("session") && !credentials.includes("apiKey") ? ["-b cookies.txt"] : []),
    ...(credentials.includes("apiKey") ? [`-H "authorization: Bearer $WHYTRACE_API_KEY"`] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quote(print(body))}`]),
  ].join(" \\\n  ");
}

/** An example object with the fields that are required or have an example. */
function exampleOf({ properties = {}, required = [] }: JsonSchema): unknown {
  const fields = Object.entries(properties).filter(
    ([name, field]) => field.examples || required.includes(name),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, firstExample(field) ?? "…"]));
}

const firstExample = ({ examples, anyOf = [] }: JsonSchema): unknown =>
  examples?.[0] ?? anyOf.map((schema) => schema.examples?.[0]).find(Boolean);

/** Indents only long JSON. */
function print(value: unknown): string {
  const compact = JSON.stringify(value);
  return compact.length < 80 ? compact : JSON.stringify(value, null, 2);
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

import { parseJsonPrefix } from "./parse-json-prefix.ts";

const MAX_LENGTH = 200;
const MAX_DEPTH = 6;

/** Fields that usually contain what an agent was asked, the most specific first. */
const REQUEST_FIELDS = [
  ...["question", "query", "request", "task", "goal", "instruction", "user_message", "userMessage"],
  ...["messages", "prompt", "message", "input", "inputs", "kwargs", "content", "text", "q"],
];

/** Fields that usually contain what an agent or a model answered. */
const ANSWER_FIELDS = [
  ...["answer", "output", "outputs", "output_text", "response", "result", "choices", "generations"],
  ...["messages", "message", "kwargs", "content", "text"],
];

/** What is looked for in a payload: which fields may contain it, and who said it. */
interface Wanted {
  fields: readonly string[];
  roles: readonly string[];
  /** Of several messages, the last one counts. */
  isLast: boolean;
}

const REQUEST: Wanted = { fields: REQUEST_FIELDS, roles: ["user", "human"], isLast: false };
const ANSWER: Wanted = { fields: ANSWER_FIELDS, roles: ["assistant", "ai", "model"], isLast: true };

/**
 * What an agent was asked, in one short line, from the beginning of a payload's JSON. `any value`: a payload without a
 * known field is shown as its JSON.
 */
export const requestText = (
  json: string | null,
  fallback: "any value" | "named value",
  maxLength = MAX_LENGTH,
): string | null => textOf(json, REQUEST, fallback, maxLength);

/** What an agent answered, in one short line. */
export const answerText = (json: string | null, maxLength = MAX_LENGTH): string | null =>
  textOf(json, ANSWER, "any value", maxLength);

function textOf(
  json: string | null,
  wanted: Wanted,
  fallback: "any value" | "named value",
  maxLength: number,
): string | null {
  if (json === null) return null;
  const value = parseJsonPrefix(json);
  const text =
    findText(value, wanted) ??
    (fallback === "any value" ? compact(value === undefined ? json : value) : null);
  return text === null ? null : shorten(text, maxLength);
}

function findText(value: unknown, wanted: Wanted, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === "string") {
    const nested = /^\s*[[{]/.test(value) ? parseJsonPrefix(value) : undefined;
    return (nested === undefined ? null : findText(nested, wanted, depth + 1)) ?? (value.trim() || null);
  }
  if (Array.isArray(value)) return findInList(value, wanted, depth);
  if (typeof value !== "object" || value === null) return null;
  for (const field of wanted.fields) {
    const found = findText(Reflect.get(value, field), wanted, depth + 1);
    if (found !== null) return found;
  }
  return findText(Reflect.get(value, "parts"), wanted, depth + 1);
}

/** The wanted message; without roles, the first item with a text. */
function findInList(items: unknown[], wanted: Wanted, depth: number): string | null {
  const isConversation = items.some((item) => roleOf(item) !== undefined);
  for (const item of isConversation && wanted.isLast ? items.toReversed() : items) {
    if (isConversation && !wanted.roles.includes(roleOf(item) ?? "")) continue;
    const found = findText(item, wanted, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** A serialized message of LangChain has the name of its class instead of a role. */
function roleOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const role: unknown = Reflect.get(item, "role");
  if (typeof role === "string") return role;
  const path: unknown = Reflect.get(item, "id");
  const name: unknown = Array.isArray(path) ? path.at(-1) : undefined;
  return typeof name === "string"
    ? /^(Human|AI|System|Tool)Message/.exec(name)?.[1]?.toLowerCase()
    : undefined;
}

function compact(value: unknown): string | null {
  const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  if (isEmpty || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shorten(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 10)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return (
    characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line
  ).toWellFormed();
}

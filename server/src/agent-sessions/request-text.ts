import { parseJsonPrefix } from "./parse-json-prefix.ts";

const MAX_LENGTH = 200;
const MAX_DEPTH = 6;

/** Fields that usually contain what an agent was asked, the most specific first. */
const REQUEST_FIELDS = [
  ...["question", "query", "request", "task", "goal", "instruction", "user_message", "userMessage"],
  ...["messages", "prompt", "message", "input", "inputs", "content", "text", "q"],
];

/**
 * What an agent was asked, in one short line, from the beginning of a payload's JSON. `any value`: a payload without a
 * known field is shown as its JSON.
 */
export function requestText(json: string | null, fallback: "any value" | "named value"): string | null {
  if (json === null) return null;
  const value = parseJsonPrefix(json);
  const text =
    findRequest(value) ?? (fallback === "any value" ? compact(value === undefined ? json : value) : null);
  return text === null ? null : shorten(text);
}

function findRequest(value: unknown, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === "string") {
    const nested = /^\s*[[{]/.test(value) ? parseJsonPrefix(value) : undefined;
    return (nested === undefined ? null : findRequest(nested, depth + 1)) ?? (value.trim() || null);
  }
  if (Array.isArray(value)) return findInList(value, depth);
  if (typeof value !== "object" || value === null) return null;
  for (const field of REQUEST_FIELDS) {
    const found = findRequest(Reflect.get(value, field), depth + 1);
    if (found !== null) return found;
  }
  return findRequest(Reflect.get(value, "parts"), depth + 1);
}

/** The first message of the user; without roles, the first item with a text. */
function findInList(items: unknown[], depth: number): string | null {
  const roleOf = (item: unknown) =>
    typeof item === "object" && item !== null ? Reflect.get(item, "role") : undefined;
  const isConversation = items.some((item) => typeof roleOf(item) === "string");
  for (const item of items) {
    if (isConversation && roleOf(item) !== "user") continue;
    const found = findRequest(item, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function compact(value: unknown): string | null {
  const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  if (isEmpty || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  const line = text
    .slice(0, MAX_LENGTH * 10)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return (
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : line
  ).toWellFormed();
}

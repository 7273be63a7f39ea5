import { hasLongKey } from "./has-long-key.ts";

/** Whether a text is the JSON of an object or array. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || hasLongKey(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

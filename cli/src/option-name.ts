import { isRecord } from "./api.ts";
import { printable } from "./output.ts";

const MAX_LENGTH = 60;

/** A short label for an option of a decision: its name if it has one, otherwise its JSON. */
export function optionName(option: unknown): string {
  if (typeof option === "string") return truncate(option);
  if (isRecord(option))
    for (const key of ["name", "tool", "label", "id", "action", "route"]) {
      const name = option[key];
      if (typeof name === "string") return truncate(name);
    }
  return truncate(JSON.stringify(option) ?? "");
}

function truncate(text: string): string {
  const shown = printable(text);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown;
}

import { isRecord } from "./api.ts";
import { printable } from "./output.ts";

const LONGEST = 60;

/** What an option is called: a name if it has one, else its JSON. */
export function optionName(option: unknown): string {
  if (typeof option === "string") return cut(option);
  if (isRecord(option))
    for (const key of ["name", "tool", "label", "id", "action", "route"]) {
      const name = option[key];
      if (typeof name === "string") return cut(name);
    }
  return cut(JSON.stringify(option) ?? "");
}

function cut(text: string): string {
  const shown = printable(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1)}…` : shown;
}

import { optionKey, optionName } from "@whytrace/contract";

const MAX_OPTIONS = 64;
const MAX_NAME_LENGTH = 200;

/** The names of a decision's options as people know them, each once, the chosen one first. */
export function optionNames({
  chosen,
  alternatives,
}: {
  chosen: Uint8Array | null;
  alternatives: Uint8Array;
}): string[] {
  const others = parse(alternatives);
  const options = [parse(chosen), ...(Array.isArray(others) ? others.slice(0, MAX_OPTIONS) : [])];
  const names = new Map<string, string>();
  for (const option of options) {
    const key = optionKey(option);
    if (!names.has(key)) names.set(key, truncate(optionName(option)));
  }
  return [...names.values()];
}

/** A value whose beginning alone was read is not valid JSON: its text stands for it. */
function parse(json: Uint8Array | null): unknown {
  const text = json === null ? "null" : Buffer.from(json).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const truncate = (name: string) =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;

const NAMES = ["name", "tool", "label", "id", "action", "route"] as const;

/**
 * Returns the name that an option says, in the first of its name-like fields, or undefined if it says none. Several options
 * that were chosen together are named in their order: "get_weather ×2 + get_time".
 */
export function findOptionName(option: unknown): string | undefined {
  return Array.isArray(option) ? joinedName(option) : singleName(option);
}

function singleName(option: unknown): string | undefined {
  if (typeof option === "string") return option;
  if (typeof option !== "object" || option === null) return undefined;
  for (const key of NAMES) {
    const name: unknown = Reflect.get(option, key);
    if (typeof name === "string") return name;
  }
  return undefined;
}

function joinedName(options: unknown[]): string | undefined {
  const counts = new Map<string, number>();
  for (const option of options) {
    const name = singleName(option);
    if (name === undefined) return undefined;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(" + ");
}

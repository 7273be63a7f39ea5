const NAMES = ["name", "tool", "label", "id", "action", "route"] as const;

/** Returns the display name of a decision's option: the first of its name-like fields, or its JSON. */
export function optionName(option: unknown): string {
  if (typeof option === "string") return option;
  if (typeof option === "object" && option !== null)
    for (const key of NAMES) {
      const name: unknown = Reflect.get(option, key);
      if (typeof name === "string") return name;
    }
  return JSON.stringify(option) ?? "";
}

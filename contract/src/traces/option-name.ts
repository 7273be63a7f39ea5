const NAMES = ["name", "tool", "label", "id", "action", "route"] as const;

/** What an option of a decision is called: a name if it has one, else its JSON. */
export function optionName(option: unknown): string {
  if (typeof option === "string") return option;
  if (typeof option === "object" && option !== null)
    for (const key of NAMES) {
      const name: unknown = Reflect.get(option, key);
      if (typeof name === "string") return name;
    }
  return JSON.stringify(option) ?? "";
}

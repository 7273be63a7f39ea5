/** What an option is called: a name if it has one, else its JSON. */
export function optionText(option: unknown): string {
  if (typeof option === "string") return option;
  if (typeof option === "object" && option !== null)
    for (const key of ["name", "tool", "label", "id", "action", "route"]) {
      const name = (option as Record<string, unknown>)[key];
      if (typeof name === "string") return name;
    }
  return JSON.stringify(option) ?? "";
}

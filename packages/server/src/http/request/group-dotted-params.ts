import type { App } from "../app-instance.ts";

/**
 * Makes the query parameters `name.key=value` one parameter `name`, whose value is an object. Without it, schemas would have
 * to know all keys.
 */
export function groupDottedParams(app: App) {
  app.addHook("preValidation", async (request) => {
    const query = request.query;
    if (typeof query !== "object" || query === null) return;
    const entries = Object.entries(query);
    if (!entries.some(([name]) => name.includes("."))) return;
    const groups = Map.groupBy(entries, ([name]) => name.split(".", 1)[0] ?? "");
    request.query = Object.fromEntries(
      [...groups].map(([group, members]) => [
        group,
        members.length === 1 && members[0]?.[0] === group ? members[0][1] : groupOf(group, members),
      ]),
    );
  });
}

const groupOf = (group: string, members: [string, unknown][]) =>
  Object.fromEntries(members.map(([name, value]) => [name.slice(group.length + 1), value]));

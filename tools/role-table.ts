// Prints the table of roles into docs/workspaces.md. A test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "@whytrace/contract";
import { ROUTE_ACCESS } from "../packages/server/src/route-access.ts";
import { ROUTE_KEYS } from "../packages/server/src/route-keys.ts";

export const ROLE_PAGE = "docs/workspaces.md";
const SECTION = /(<!-- roles -->)[\s\S]*(<!-- \/roles -->)/;

/** The routes of workspaces, by the least role that they need, and the scopes of keys that they take instead. */
function roleTable(): string {
  const tables = ROLES.toReversed().map((role) => {
    const rows = Object.entries(ROUTE_ACCESS)
      .filter(([, access]) => access === role)
      .map(([route]) => [`\`${route.replaceAll(/:(\w+)/g, "{$1}")}\``, keysOf(route)]);
    const head = ["Route", "Key"];
    const widths = head.map((_, column) =>
      Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
    );
    const line = (cells: readonly string[], fill = " ") =>
      `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
    return [`**${role}**\n`, line(head), line(["-", "-"], "-"), ...rows.map((row) => line(row))].join("\n");
  });
  return tables.join("\n\n");
}

const keysOf = (route: string) => ROUTE_KEYS[route]?.join(", ") ?? "–";

export const withRoleTable = (page: string) => page.replace(SECTION, `$1\n\n${roleTable()}\n\n$2`);

if (import.meta.main) {
  const path = join(import.meta.dirname, "..", ROLE_PAGE);
  writeFileSync(path, withRoleTable(readFileSync(path, "utf8")));
}

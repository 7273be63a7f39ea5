// Prints the table of roles into docs/workspaces.md. A test compares the two.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "@whytrace/contract";
import { ROUTE_ACCESS } from "../server/src/route-access.ts";

export const ROLE_PAGE = "docs/workspaces.md";
const SECTION = /(<!-- roles -->)[\s\S]*(<!-- \/roles -->)/;

/** The routes of workspaces, by the least role that they need. */
function roleTable(): string {
  const rows = ROLES.toReversed().map((role) => {
    const routes = Object.entries(ROUTE_ACCESS)
      .filter(([, access]) => access === role)
      .map(([route]) => `\`${route.replaceAll(/:(\w+)/g, "{$1}")}\``);
    return `**${role}**\n\n${routes.map((route) => `- ${route}`).join("\n")}`;
  });
  return rows.join("\n\n");
}

export const withRoleTable = (page: string) => page.replace(SECTION, `$1\n\n${roleTable()}\n\n$2`);

if (import.meta.main) {
  const path = join(import.meta.dirname, "..", ROLE_PAGE);
  writeFileSync(path, withRoleTable(readFileSync(path, "utf8")));
}

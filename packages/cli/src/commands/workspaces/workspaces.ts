import type { Command } from "../../command.ts";
import { formatAlignedTable } from "../../print/aligned-table.ts";
import { printable } from "../../print/output.ts";
import { personalApi, readingApi, TARGET_OPTIONS } from "../../target.ts";

export const workspaces: Command = {
  name: "workspaces",
  about: "list the workspaces that you belong to",
  positionals: [],
  options: TARGET_OPTIONS,
  details: "A star marks the one that commands read from. `whytrace use <slug>` chooses another.",
  async run(call) {
    const { output } = call;
    const api = await readingApi(call);
    const { workspaces: found } = await personalApi(api).call("GET /api/workspaces");
    const isCurrent = (slug: string) => found.length === 1 || slug === api.workspace;
    for (const workspace of found) output.json({ ...workspace, isCurrent: isCurrent(workspace.slug) });
    const rows = found.map(({ slug, name, role, blockedBy }) => [
      isCurrent(slug) ? "*" : " ",
      slug,
      role,
      printable(name, 60),
      blockedBy === null ? "" : `closed to this sign-in: ${blockedBy}`,
    ]);
    if (rows.length === 0) output.line("You belong to no workspace. Create one, or ask for an invitation.");
    else for (const line of formatAlignedTable(["", "SLUG", "ROLE", "NAME", ""], rows)) output.line(line);
  },
};

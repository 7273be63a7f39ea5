import type { Command } from "../../command.ts";
import { DATABASE_OPTIONS, databaseTarget } from "../../database-target.ts";
import { formatAlignedTable } from "../../print/aligned-table.ts";
import { printable } from "../../print/output.ts";
import { withOperator } from "../../with-operator.ts";

const NAME = "admin workspace list";

export const adminWorkspaceList: Command = {
  name: NAME,
  about: "list all workspaces with their owners",
  positionals: [],
  options: DATABASE_OPTIONS,
  async run(call) {
    const { output } = call;
    const { url } = await databaseTarget(call, NAME, "the workspaces are in the server's database");
    await withOperator(url, async (operator) => {
      const found = await operator.listWorkspaces();
      for (const workspace of found) output.json(workspace);
      const rows = found.map(({ slug, name, members, owners }) => [
        slug,
        String(members),
        printable(name, 60),
        owners.join(", "),
      ]);
      for (const line of formatAlignedTable(["SLUG", " MEMBERS", "NAME", "OWNERS"], rows)) output.line(line);
    });
  },
};

// Runs before `npm pack`: copies the licence into each package, and the built dashboard and documentation into the server. Runs again after it
// with --undo and removes the copies.
import { cpSync, existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const packageFolder = process.cwd();
const files = [
  { from: "LICENSE", to: "LICENSE" },
  { from: "NOTICE", to: "NOTICE" },
  ...(basename(packageFolder) === "server"
    ? [
        { from: "packages/dashboard/dist", to: "dashboard" },
        { from: "docs/renderer/dist", to: "docs" },
      ]
    : []),
];
if (
  !["packages/dashboard", "docs/renderer"].every((name) => existsSync(join(root, name, "dist/index.html")))
) {
  console.error("The dashboard or the documentation is not built. Run `npm run build` first.");
  process.exit(1);
}
for (const { from, to } of files) {
  rmSync(join(packageFolder, to), { recursive: true, force: true });
  if (!process.argv.includes("--undo"))
    cpSync(join(root, from), join(packageFolder, to), { recursive: true });
}

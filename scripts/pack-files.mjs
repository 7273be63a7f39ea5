// Before a package is packed: what it ships and does not hold itself. The licence for each, the built dashboard for the
// server. Afterwards (--undo) they are taken out again, so that a checkout has one of each.
import { cpSync, existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const own = process.cwd();
const files = [
  { from: "LICENSE", to: "LICENSE" },
  { from: "NOTICE", to: "NOTICE" },
  ...(basename(own) === "server" ? [{ from: "dashboard/dist", to: "dashboard" }] : []),
];
if (!existsSync(join(root, "dashboard/dist/index.html"))) {
  console.error("Nothing is built yet. Run npm run build.");
  process.exit(1);
}
for (const { from, to } of files) {
  rmSync(join(own, to), { recursive: true, force: true });
  if (!process.argv.includes("--undo")) cpSync(join(root, from), join(own, to), { recursive: true });
}

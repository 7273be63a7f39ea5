// Packs every package into artifacts/ as npm would publish it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const PACKAGES = ["contract", "demo", "server", "cli", "sdk"];
const root = join(import.meta.dirname, "..");
const folder = join(root, "artifacts");

const { positionals } = parseArgs({ allowPositionals: true });
const isBuilt = [
  "packages/cli/dist/main.js",
  "packages/sdk/dist/index.js",
  "packages/dashboard/dist/index.html",
  "docs/renderer/dist/index.html",
].every((file) => existsSync(join(root, file)));
if (!isBuilt) npm(["run", "build"], root);
mkdirSync(folder, { recursive: true });
for (const name of positionals.length > 0 ? positionals : PACKAGES) {
  const packed = JSON.parse(
    npm(["pack", "--json", "--pack-destination", folder], join(root, "packages", name)),
  );
  // The file name has no version, so that install commands stay the same.
  const target = join(folder, name === "cli" ? "whytrace.tgz" : `whytrace-${name}.tgz`);
  rmSync(target, { force: true });
  renameSync(join(folder, packed[0].filename), target);
  console.log(target);
}

function npm(args: string[], cwd: string): string {
  return execFileSync("npm", ["--loglevel=error", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

// Publishes the packages that `npm run release` packed into artifacts/, with provenance. It imports nothing that is installed,
// so that no dependency runs in the job that may publish. A release that stopped halfway runs again, and leaves out what the
// registry has.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPublished } from "./is-published.ts";

/** In the order in which they need each other. */
const PACKAGES = ["whytrace-contract", "whytrace-demo", "whytrace-server", "whytrace", "whytrace-sdk"];
const root = join(import.meta.dirname, "..");

if (process.env.GITHUB_ACTIONS !== "true") {
  console.error("Only the workflow of a tag publishes. Try it with: npm run release -- --dry-run");
  process.exit(2);
}
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
for (const file of PACKAGES) {
  const path = join(root, "artifacts", `${file}.tgz`);
  const name = file.replace("whytrace-", "@whytrace/");
  if (await isPublished({ name, version, tarball: readFileSync(path) }, registry))
    console.log(`${name} ${version} is published already`);
  else
    execFileSync("npm", ["publish", path, "--provenance", "--access", "public"], {
      cwd: root,
      stdio: "inherit",
    });
}

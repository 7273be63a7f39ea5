import { readFileSync } from "node:fs";
import zlib from "node:zlib";

/**
 * Ends the process if Node.js is older than the package needs: payloads are compressed with zstd, which came with 22.15 and
 * 23.8. It must be called before the modules are loaded that import it, because an older Node.js cannot load them.
 */
export function requireNode(): void {
  if ("createZstdDecompress" in zlib) return;
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  console.error(
    `Whytrace needs Node.js ${engines.node.slice(">=".length)} or newer; this is ${process.versions.node}. ` +
      "In a checkout, run it with npm, or with node_modules/.bin/node.",
  );
  process.exit(1);
}

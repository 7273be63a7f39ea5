import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Programs of Debian packages, unpacked into a folder. Nothing is installed, and no service starts. */
export class DebianPackages {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /**
   * Downloads the packages and what they need of packages that are not installed; returns the reason as a text if the
   * machine cannot.
   */
  static async unpack(folder: string, names: string[]): Promise<DebianPackages | string> {
    const archives = join(folder, "archives");
    const root = join(folder, "root");
    await mkdir(join(archives, "partial"), { recursive: true });
    await mkdir(root);
    try {
      await run("apt-get", [
        ...["install", "--download-only", "--yes", "--no-install-recommends"],
        ...["-o", `Dir::Cache::archives=${archives}`, "-o", "Debug::NoLocking=1"],
        ...names,
      ]);
    } catch (error) {
      return `apt-get could not download ${names.join(", ")}: ${error instanceof Error ? error.message : error}`;
    }
    for (const archive of globSync(join(archives, "*.deb"))) await run("dpkg", ["-x", archive, root]);
    return new DebianPackages(root);
  }

  /** The newest file that matches a pattern such as `/usr/bin/etcd`: unpacked, or installed before. */
  find(pattern: string): string {
    const found = [join(this.#root, pattern), pattern].flatMap((path) =>
      globSync(path).toSorted((a, b) => b.localeCompare(a, undefined, { numeric: true })),
    );
    const [first] = found;
    if (first === undefined) throw new Error(`${pattern} is neither installed nor in the packages`);
    return first;
  }

  /** The environment in which unpacked programs find their libraries. */
  get env(): Record<string, string> {
    const python = join(this.#root, "usr/lib/python3/dist-packages");
    return {
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      LD_LIBRARY_PATH: globSync(join(this.#root, "usr/lib/*-linux-gnu")).join(":"),
      ...(existsSync(python) && { PYTHONPATH: python }),
    };
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { zstdDecompressSync } from "node:zlib";

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * Calls `scan` with each line of what pg_dump writes of a database, and with what the bytes in it are when they are decompressed. Needs
 * pg_dump in the path.
 */
export async function scanDump(
  databaseUrl: string,
  leftOutTables: readonly string[],
  scan: (text: string) => void,
): Promise<void> {
  const leftOut = leftOutTables.map((table) => `--exclude-table-data=${table}`);
  const dump = spawn("pg_dump", [...leftOut, databaseUrl], { stdio: ["ignore", "pipe", "inherit"] });
  const exit = once(dump, "exit");
  for await (const line of createInterface({ input: dump.stdout })) {
    scan(line);
    for (const [, hex = ""] of line.matchAll(/\\\\x((?:[\da-f]{2})+)/g))
      scanBytes(Buffer.from(hex, "hex"), scan);
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`pg_dump ended with ${code}`);
}

function scanBytes(bytes: Buffer, scan: (text: string) => void) {
  scan(bytes.toString("latin1"));
  const frame = bytes.indexOf(ZSTD_MAGIC);
  if (frame >= 0) scan(zstdDecompressSync(bytes.subarray(frame)).toString());
}

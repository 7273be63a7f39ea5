import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { usageError } from "../command.ts";

/** Lines of a pipe that came together with one that was asked for. */
const pending: string[] = [];

/** Reads a secret from the terminal without echo, or the next line of a pipe. */
export async function askSecret(what: "Password" | "API key" | "Code"): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(`${what}: `);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (pending.length === 0) {
    const terminal = createInterface({ input: stdin, output: discard, terminal: stdin.isTTY === true });
    terminal.on("line", (line) => pending.push(line));
    await Promise.race([once(terminal, "line"), once(terminal, "close")]);
    terminal.close();
  }
  if (stdin.isTTY) stderr.write("\n");
  const line = pending.shift();
  if (line === undefined)
    throw usageError(`No ${what === "API key" ? "key" : what.toLowerCase()} on standard input`, "login");
  return line;
}

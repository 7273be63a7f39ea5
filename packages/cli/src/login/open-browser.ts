import { spawn } from "node:child_process";
import type { Config } from "../config.ts";

/** Opens an address in the browser of this machine. If there is none, nothing happens: the address was printed too. */
export function openBrowser({ all: env, browser }: Config, url: string): void {
  const [command, ...args] = browser === undefined ? opener() : [browser];
  const child = spawn(command, [...args, url], { env, stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function opener(): [string, ...string[]] {
  if (process.platform === "darwin") return ["open"];
  // Not `start`, which is a part of the shell and would take the `&` of the address for its own.
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

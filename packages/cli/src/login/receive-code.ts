import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createInterface } from "node:readline/promises";

const DONE = "Signed in. You can close this tab and return to the terminal.\n";

/** Listens on this machine for the browser that brings a code. */
export async function listenForCode(): Promise<{ port: number; code: Promise<string>; close: () => void }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port to listen on");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: address.port, code: codeFrom(server), close };
}

function codeFrom(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.on("request", ({ method, url }, response) => {
      const { pathname, searchParams } = new URL(url ?? "/", "http://127.0.0.1");
      const code = searchParams.get("code");
      if (method !== "GET" || pathname !== "/" || !code) return void response.writeHead(404).end();
      response.writeHead(200, {
        "content-type": "text/plain; charset=utf-8",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        connection: "close",
      });
      // The caller closes the server when it has the code.
      response.end(DONE, () => resolve(code));
    });
  });
}

/** The code as a person pastes it: alone, or in the address that the browser could not open. Undefined if the input ends. */
export async function readPastedCode(signal: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin });
  const stop = () => terminal.close();
  signal.addEventListener("abort", stop);
  try {
    for await (const line of terminal) {
      const text = line.trim();
      const code = /[?&]code=([\w-]+)/.exec(text)?.[1] ?? text;
      if (code !== "") return code;
    }
    return undefined;
  } finally {
    signal.removeEventListener("abort", stop);
    terminal.close();
  }
}

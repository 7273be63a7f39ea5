import { LOOPBACK_NAMES } from "../config.ts";
import type { App } from "./app-instance.ts";

/**
 * Opens pages at the public URL if it names this machine and the browser used another of the machine's names: a cookie
 * belongs to one name, so 127.0.0.1 and localhost would be two sign-ins. Other requests are answered under every name.
 */
export function redirectLoopback(app: App, publicUrl: string) {
  const { protocol, hostname, port, host } = new URL(publicUrl);
  if (protocol !== "http:" || !LOOPBACK_NAMES.includes(hostname)) return;
  const otherHosts = new Set(LOOPBACK_NAMES.map((name) => (port === "" ? name : `${name}:${port}`)));
  otherHosts.delete(host);
  app.addHook("onRequest", async ({ method, originalUrl: url, headers }, reply) => {
    const isNavigation = method === "GET" && headers["sec-fetch-mode"] === "navigate";
    // The fixed origin and a path: the request cannot choose where it is sent.
    if (isNavigation && otherHosts.has(headers.host ?? "") && url.startsWith("/"))
      return reply.redirect(`${publicUrl}${url}`, 307);
  });
}

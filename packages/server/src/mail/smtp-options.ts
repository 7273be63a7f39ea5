import ipaddr from "ipaddr.js";

/**
 * Reads the parameter `tls` of `SMTP_URL`, which the mail library does not know. With smtp:// the connection must switch
 * to TLS before anything is sent: an attacker in the network could otherwise hide the server's offer and read the links.
 * The exceptions are a server on this machine, and `tls=optional`.
 */
export function smtpOptions(smtpUrl: string): { url: string; requireTLS: boolean } {
  const url = new URL(smtpUrl);
  const tls = url.searchParams.get("tls") ?? (isLoopback(url.hostname) ? "optional" : "required");
  if (url.searchParams.has("tls")) url.searchParams.delete("tls");
  return { url: url.href, requireTLS: url.protocol === "smtp:" && tls === "required" };
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback");
}

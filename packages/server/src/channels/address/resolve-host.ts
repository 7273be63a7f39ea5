import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const TIMEOUT_MS = 2_000;

/** All addresses of a host name; none if it has no address. Throws if name servers do not answer. */
export type ResolveHost = (host: string) => Promise<string[]>;

/**
 * Asks name servers for the addresses of a host, IPv4 and IPv6. It does not use getaddrinfo: a name server that does not answer
 * would block a thread of the pool that reads files and compresses, too.
 */
export const resolveHost: ResolveHost = async (host) => {
  if (isIP(host) !== 0) return [host];
  const resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 1 });
  const waiting = new AbortController();
  try {
    const answers = Promise.all([
      resolver.resolve4(host).catch(unlessAbsent),
      resolver.resolve6(host).catch(unlessAbsent),
    ]);
    const timeout = sleep(TIMEOUT_MS, undefined, { signal: waiting.signal }).then(() => {
      throw new Error("Name servers did not answer in time");
    });
    return (await Promise.race([answers, timeout])).flat();
  } finally {
    waiting.abort();
    resolver.cancel();
  }
};

const ABSENT = new Set(["ENODATA", "ENOTFOUND"]);

function unlessAbsent(error: unknown): string[] {
  if (error instanceof Error && "code" in error && ABSENT.has(String(error.code))) return [];
  throw error;
}

import { Resolver } from "node:dns/promises";

const TIMEOUT_MS = 5_000;

/** The record that proves that whoever has the token controls the domain. */
export const recordOf = ({ domain, token }: { domain: string; token: string }) => ({
  name: `_whytrace.${domain}`,
  type: "TXT" as const,
  value: `whytrace-workspace=${token}`,
});

/** Whether name servers have the record. False also if they do not answer. */
export async function findRecord(
  proof: { domain: string; token: string },
  servers: readonly string[],
): Promise<boolean> {
  const { name, value } = recordOf(proof);
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  const timeout = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    // A long text comes in parts.
    return (await resolver.resolveTxt(name)).some((parts) => parts.join("") === value);
  } catch {
    return false;
  } finally {
    clearTimeout(timeout);
  }
}

import { isIP } from "node:net";

/** What a passkey belongs to: a host, and the pages of one origin. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Undefined where browsers refuse passkeys: on an IP address, and on http outside this machine. */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(publicUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return undefined;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return protocol === "https:" || isLocal ? { id: hostname, origin } : undefined;
}

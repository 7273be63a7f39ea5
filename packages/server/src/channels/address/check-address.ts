import type { Network } from "../../config.ts";
import { isInNetworks, isPublicAddress } from "./is-public-address.ts";
import { type ResolveHost, resolveHost } from "./resolve-host.ts";

export const NOT_PUBLIC =
  "The address of the url is not public, and WEBHOOK_ALLOWED_NETWORKS does not allow its network";

export interface AddressRules {
  /** Networks of the operator that channels may use although they are not public. */
  allowedNetworks: readonly Network[];
  /** For tests. */
  resolve?: ResolveHost;
}

type CheckedAddress =
  | { address: string; isOperators: boolean; error?: undefined }
  | { address?: undefined; isPublic: boolean; error: string };

/**
 * Resolves the host of a URL and chooses the address to connect to. If one address is not allowed, none is used: whoever controls the
 * name could otherwise mix an address of our network with a public one.
 */
export async function checkAddress(
  url: URL,
  { allowedNetworks, resolve = resolveHost }: AddressRules,
): Promise<CheckedAddress> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await resolve(host).catch(() => undefined);
  if (addresses === undefined || addresses.length === 0)
    return { isPublic: true, error: "The host name has no address" };
  const isOperators = addresses.every((address) => isInNetworks(address, allowedNetworks));
  const isAllowed =
    isOperators ||
    addresses.every((address) => isPublicAddress(address) || isInNetworks(address, allowedNetworks));
  const [address] = addresses;
  if (!isAllowed || address === undefined) return { isPublic: false, error: NOT_PUBLIC };
  if (url.protocol !== "https:" && !isOperators)
    return { isPublic: true, error: "The address must use https" };
  return { address, isOperators };
}

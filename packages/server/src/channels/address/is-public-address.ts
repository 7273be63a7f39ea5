import ipaddr from "ipaddr.js";
import type { Network } from "../../config.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Where addresses of IPv6 have the IPv4 address that they lead to. */
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR("2002::/16");
const TEREDO = ipaddr.IPv6.parseCIDR("2001::/32");

/** Whether everybody on the internet can reach an address, so that a message to it tells nothing about our own network. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.parse(text));
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Whether an address is in one of the networks. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const given = ipaddr.parse(text);
  return [given, unwrap(given)].some((address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)),
  );
}

/** The IPv4 address that an address of IPv6 leads to, or the address itself. */
function unwrap(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  // Teredo inverts the bits of the client's address.
  if (address.match(TEREDO)) return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  return address;
}

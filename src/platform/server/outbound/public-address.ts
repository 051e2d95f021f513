// Which IP addresses are everybody's: only those may be called on a stranger's word.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// The only part of IPv6 that is given out (RFC 4291, 2.4); what embeds an IPv4 address lies inside it too and is told by its range.
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is a public unicast one. Everything else is refused: private, loopback, link-local, shared (CGNAT), multicast,
 * reserved, documentation, and IPv6 addresses that stand for IPv4 ones (mapped, compatible, NAT64, 6to4, Teredo).
 * Source: the IANA special-purpose address registries, as ipaddr.js knows them.
 */
export function isPublicAddress(address: string): boolean {
  // Odd notations, which the library would read, are no addresses here: nobody but a URL may have them, and it writes them out.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(globalIpv6));
}

/** Whether an address is this machine itself: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}

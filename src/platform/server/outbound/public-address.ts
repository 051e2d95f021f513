// Which IP addresses are public: a customer's address may lead only to those.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// The only allocated part of IPv6 (RFC 4291, 2.4). Addresses that embed an IPv4 address lie in it too and are
// recognised by their range.
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is a public unicast address. All others are refused: private, loopback, link-local,
 * shared (CGNAT), multicast, reserved, documentation, and IPv6 addresses that stand for IPv4 ones (mapped,
 * compatible, NAT64, 6to4, Teredo). Source: the IANA special-purpose address registries, as ipaddr.js has
 * them.
 */
export function isPublicAddress(address: string): boolean {
  // The library also accepts unusual notations (octal, hexadecimal). Only URLs may contain them, and `URL`
  // normalises them.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(globalIpv6));
}

/** Whether an address is this machine: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}

// Classifies IP addresses: addresses that customers enter may only lead to public ones.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// The only allocated part of IPv6 (RFC 4291, 2.4). It also contains addresses that embed an IPv4 address,
// which are recognized by their range.
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is a public unicast address. All others are rejected: private, loopback, link-local,
 * shared (CGNAT), multicast, reserved, documentation, and IPv6 addresses that embed IPv4 ones (mapped,
 * compatible, NAT64, 6to4, Teredo). Source: the IANA special-purpose address registries, as implemented by
 * ipaddr.js.
 */
export function isPublicAddress(address: string): boolean {
  // The library also accepts unusual notations (octal, hexadecimal). They can occur only in URLs, and `URL`
  // normalizes them.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(globalIpv6));
}

/** Whether an address is a loopback address: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}

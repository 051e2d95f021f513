// Lists of addresses and networks, IPv4 and IPv6.
import ipaddr from 'ipaddr.js';

const longestPrefix = (address: ipaddr.IPv4 | ipaddr.IPv6): number => (address.kind() === 'ipv4' ? 32 : 128);

/**
 * Normalizes an address or network; the result always has a prefix length (`10.1.0.0/16`, `2001:db8::1/128`).
 * Undefined for anything else. A network must be given by its first address; others are rejected, because it
 * is unclear what was meant.
 */
export function networkOf(text: string): string | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/');
  if (
    more.length > 0 ||
    !ipaddr.isValid(address) ||
    (address.includes('.') && !address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address))
  )
    return undefined;
  const parsed = ipaddr.parse(address);
  const length =
    prefix === undefined ? longestPrefix(parsed) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (length < 0 || length > longestPrefix(parsed)) return undefined;
  // Clients with an IPv4 address are compared as IPv4, so a mapped network would never match.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return undefined;
  const network =
    parsed instanceof ipaddr.IPv6
      ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${length}`)
      : ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`);
  return network.toString() === parsed.toString() ? `${parsed.toString()}/${length}` : undefined;
}

/** Whether an address is in one of these networks. An IPv4 address written as IPv6 counts as IPv4. */
export function isAddressIn(networks: readonly string[], address: string): boolean {
  // `%eth0` names the interface of a link-local address.
  const [plain = ''] = address.split('%');
  if (!ipaddr.isValid(plain)) return false;
  const client = ipaddr.process(plain);
  return networks.some((network) => {
    const [start, length] = ipaddr.parseCIDR(network);
    return start.kind() === client.kind() && client.match(start, length);
  });
}

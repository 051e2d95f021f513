// The address of a client whose connection does not pass through Fastify.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Returns the peer's address, or the address reported by a trusted reverse proxy; `trusted` is TRUST_PROXY,
 * comma-separated.
 */
export function peerAddress(trusted: string | undefined): (request: IncomingMessage) => string {
  const trust =
    trusted === undefined ? () => false : proxyAddr.compile(trusted.split(',').map((each) => each.trim()));
  return (request) => proxyAddr(request, trust);
}

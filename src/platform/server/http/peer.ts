// Where a connection comes from, when it did not pass through the HTTP framework.
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** The peer's address, or what a trusted reverse proxy says of it; `trusted` is TRUST_PROXY, comma separated. */
export function peerAddress(trusted: string | undefined): (request: IncomingMessage) => string {
  const trust =
    trusted === undefined ? () => false : proxyAddr.compile(trusted.split(',').map((each) => each.trim()));
  return (request) => proxyAddr(request, trust);
}

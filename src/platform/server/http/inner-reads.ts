// Reads that a call makes on behalf of its caller.
import type { FastifyRequest, LightMyRequestResponse } from 'fastify';

// Headers that belong to the connection or the body of the outer call; they are not passed on.
const ownHeaders =
  /^(connection|keep-alive|content-.*|transfer-encoding|upgrade|expect|te|trailer|if-.*|range)$/;

/**
 * Runs a read of a path below /api through the whole server as the caller's own request, so that it bypasses
 * no check.
 */
export function readAsCaller(request: FastifyRequest, path: string): Promise<LightMyRequestResponse> {
  return request.server.inject({
    method: 'GET',
    url: `/api${path}`,
    headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ownHeaders.test(name))),
    remoteAddress: request.socket.remoteAddress ?? '',
  });
}

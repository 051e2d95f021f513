// Lets the server stop as soon as running requests are answered. Node closes only the connections that are
// idle at that moment: it waits a minute for connections that never carried a request, which browsers and
// proxies open in advance, and for those that become idle later.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const checkEveryMs = 50;

/**
 * Closes the connections of a server that is shutting down: those without a request at once, the others after
 * their response.
 */
export function endConnectionsOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const endIdle = (): void => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    server.closeIdleConnections();
  };
  fastify.addHook('preClose', (done) => {
    if (server.listening) {
      endIdle();
      const timer = setInterval(endIdle, checkEveryMs);
      server.once('close', () => clearInterval(timer));
    }
    done();
  });
}

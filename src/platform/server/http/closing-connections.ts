// Lets the server stop as soon as the running requests are answered. Node ends only the connections that are idle at that moment: it waits
// a minute for those on which nothing was ever asked, which browsers and proxies open ahead, and for those that become idle later.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;

/** Ends the connections of a server that closes: those without a request at once, the others when theirs is answered. */
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
      const timer = setInterval(endIdle, lookEveryMs);
      server.once('close', () => clearInterval(timer));
    }
    done();
  });
}

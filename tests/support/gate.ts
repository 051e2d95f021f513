// A proxy to the tests' database that tests close and reopen, to simulate an outage.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { atFileEnd } from './clean-up.ts';
import { partsOf } from './database.ts';

export type Gate = {
  /** The database, through the gate. */
  readonly connection: string;
  /** Ends every connection, and rejects new ones. */
  readonly close: () => void;
  readonly open: () => void;
};

/** Opens a gate in front of `where` for the calling test file. */
export async function startGate(where: DatabaseConnection | string): Promise<Gate> {
  const { host, port, user, password, database } = partsOf(where);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((outer) => {
    if (!isOpen) return void outer.destroy();
    const inner = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the gate listens nowhere');
  const close = (): void => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  atFileEnd(() => {
    close();
    server.close();
  });
  return {
    connection: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${address.port}/${database}`,
    close,
    open: () => {
      isOpen = true;
    },
  };
}

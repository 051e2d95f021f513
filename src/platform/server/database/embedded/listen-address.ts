// Determines where the embedded server listens, for the server itself and for its clients.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { clusterPassword, consoleDatabase, consoleRole } from './postgres-cluster.ts';
import { recordedServer, socketNameBytes, socketPort } from './postgres-orphan.ts';
import { socketFolder } from './socket-path.ts';

/** The address of a server in the form that `pg` takes. `host` is a folder when the server listens on a Unix socket. */
export type DatabaseConnection = {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
};

/** The server's listen settings, and the address to connect to. */
export type Place = { settings: string[]; connection: DatabaseConnection; release(): Promise<void> };

/** Listens on a Unix socket in the cluster, or on a port of 127.0.0.1. Call `release()` when the server has stopped. */
export async function listenAddress(
  clusterDir: string,
  where: 'socket' | { tcpPort: number },
): Promise<Place> {
  const role = { user: consoleRole, database: consoleDatabase };
  if (where !== 'socket') {
    const port = where.tcpPort;
    return {
      settings: ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='],
      connection: { host: '127.0.0.1', port, password: await clusterPassword(clusterDir), ...role },
      release: async () => {},
    };
  }
  const folder = await socketFolder(clusterDir, socketNameBytes);
  return {
    // Relative to the data directory, which is the server's working directory: short however long the path
    // is.
    settings: [
      'listen_addresses=',
      `port=${socketPort}`,
      'unix_socket_directories=.',
      'unix_socket_permissions=0700',
    ],
    connection: { host: folder.path, port: socketPort, ...role },
    release: () => folder.release(),
  };
}

/** A TCP port of 127.0.0.1 that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return address.port;
}

/**
 * Finds the server of the console running on `dataDir`, for another process of the same user (a backup);
 * undefined when none was started, or the last one shut down properly. After a crash the address may be dead.
 * Call `release()` when no more connections will be opened.
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<{ connection: DatabaseConnection; release(): Promise<void> } | undefined> {
  const clusterDir = join(dataDir, 'postgres');
  const running = await recordedServer(clusterDir);
  if (running === undefined) return undefined;
  const place = await listenAddress(clusterDir, running.onTcp ? { tcpPort: running.port } : 'socket');
  return { connection: place.connection, release: place.release };
}

// Ports of programs that tests start.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Returns `address` once it responds at `path`. @throws when it does not within a minute */
export async function whenReady(address: string, path: string): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const isReady = await fetch(`${address}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return address;
    await pause(100);
  }
  throw new Error(`nothing answers at ${address}${path}`);
}

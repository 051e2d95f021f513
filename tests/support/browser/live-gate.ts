// A proxy in front of a console that cuts only live connections: pages use them in a worker, whose websockets
// Playwright cannot route.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atFileEnd } from '../clean-up.ts';

export type LiveGate = {
  /** The address at which the page must be opened. */
  readonly address: string;
  /** The number of live connections. */
  readonly connections: () => number;
  /** Ends them, and rejects new ones until `open`. */
  readonly close: () => void;
  readonly open: () => void;
};

/** Opens a gate in front of the console at `address`, for the calling file. */
export async function startLiveGate(address: string): Promise<LiveGate> {
  const all = new Set<Socket>();
  const live = new Set<Socket>();
  let isOpen = true;
  const server = createServer((outer) => {
    all.add(outer);
    outer.on('close', () => all.delete(outer));
    outer.on('error', () => outer.destroy());
    // A websocket has its own connection, whose first line identifies it.
    outer.once('data', (begin) => {
      if (begin.toString('latin1').startsWith('GET /mqtt ')) {
        if (!isOpen) return void outer.destroy();
        live.add(outer);
        outer.on('close', () => live.delete(outer));
      }
      const inner = connect(Number(new URL(address).port), '127.0.0.1');
      inner.on('error', () => outer.destroy());
      inner.on('close', () => outer.destroy());
      outer.on('close', () => inner.destroy());
      inner.write(begin);
      outer.pipe(inner).pipe(outer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => {
    server.close();
    for (const socket of all) socket.destroy();
    await Promise.resolve();
  });
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('the gate listens nowhere');
  return {
    address: `http://127.0.0.1:${at.port}`,
    connections: () => live.size,
    close: () => {
      isOpen = false;
      for (const socket of live) socket.destroy();
    },
    open: () => void (isOpen = true),
  };
}

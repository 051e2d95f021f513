// haproxy before several consoles: any request, and any websocket, goes to whichever comes next.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { atFileEnd } from './clean-up.ts';

/** Whether this machine has it. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** The balancer as docs/operator/scale.md sets it up. Each answer says which console gave it, in `x-console`. */
export const configurationFor = (port: number, consolePorts: readonly number[]): string => `
global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 70s
  timeout server 70s
  timeout tunnel 1h
  timeout check 5s
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response 503
frontend consoles
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend consoles
backend consoles
  balance roundrobin
  option httpchk GET /readyz
  http-response set-header x-console %s
${consolePorts.map((each, place) => `  server console${place + 1} 127.0.0.1:${each} check inter 500ms fall 3 rise 1`).join('\n')}
`;

/** Starts it for the calling test file; it ends with the file. Consoles may come later. */
export async function startBalancer(port: number, consolePorts: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-balancer-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(port, consolePorts));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] });
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Resolves when the balancer at `address` has handed a call to each of `count` consoles. */
export async function allServe(address: string, count: number): Promise<void> {
  const serving = new Set<string>();
  await vi.waitFor(
    async () => {
      serving.add((await fetch(`${address}/readyz`)).headers.get('x-console') ?? '');
      expect(serving.size).toBe(count);
    },
    { timeout: 20_000, interval: 20 },
  );
}

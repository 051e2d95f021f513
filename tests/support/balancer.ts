// haproxy in front of several consoles: it distributes requests and websockets round-robin.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { atFileEnd } from './clean-up.ts';

/** Whether haproxy is installed. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

const configuration = resolve(import.meta.dirname, '../../deploy/haproxy.cfg');

/**
 * Starts haproxy with the configuration that operators get, until the end of the calling test file. Consoles
 * may start later.
 */
export function startBalancer(port: number, consolePorts: readonly number[]): void {
  const consoles = consolePorts.map((each, place) => [`CONSOLE_${place + 1}`, `127.0.0.1:${each}`]);
  const child = spawn('haproxy', ['-db', '-f', configuration], {
    env: { ...process.env, LISTEN: `127.0.0.1:${port}`, ...Object.fromEntries(consoles) },
    stdio: 'ignore',
  });
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
}

/** Resolves when the balancer at `address` has passed a call to each of `count` consoles. */
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

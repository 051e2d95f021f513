// haproxy in front of several consoles: it distributes requests and websockets round-robin.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { atFileEnd } from './clean-up.ts';

/** Whether haproxy is installed. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

const configuration = resolve(import.meta.dirname, '../../deploy/haproxy.cfg');

/**
 * Starts haproxy with the configuration that operators get, until the end of the calling test file. Consoles
 * may start later. `certificate`, key included, is for TLS, which is then on as the configuration's comment
 * says.
 */
export function startBalancer(port: number, consolePorts: readonly number[], certificate?: string): void {
  const consoles = consolePorts.map((each, place) => [`CONSOLE_${place + 1}`, `127.0.0.1:${each}`]);
  const file = certificate === undefined ? configuration : configurationWithTls(certificate);
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: { ...process.env, LISTEN: `127.0.0.1:${port}`, ...Object.fromEntries(consoles) },
    stdio: 'ignore',
  });
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
}

function configurationWithTls(certificate: string): string {
  const text = readFileSync(configuration, 'utf8');
  const added = /^# For TLS add `(ssl crt )\S+( [^`]+)`/m.exec(text);
  if (!added) throw new Error('deploy/haproxy.cfg does not say how TLS is turned on');
  const folder = mkdtempSync(join(tmpdir(), 'skytally-balancer-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  const [certificateFile, file] = [join(folder, 'certificate.pem'), join(folder, 'haproxy.cfg')];
  writeFileSync(certificateFile, certificate, { mode: 0o600 });
  const [, before = '', after = ''] = added;
  writeFileSync(
    file,
    text.replace('bind "${LISTEN}"', `bind "$\{LISTEN}" ${before}${certificateFile}${after}`),
  );
  return file;
}

/** Resolves when the balancer at `address` has passed a call to each of `count` consoles; rejects after 20 s. */
export async function allServe(address: string, count: number): Promise<void> {
  const serving = new Set<string>();
  for await (const _ of setInterval(20, undefined, { signal: AbortSignal.timeout(20_000) })) {
    // Refused until the balancer listens.
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    const console = answer?.headers.get('x-console');
    if (console) serving.add(console);
    if (serving.size === count) return;
  }
}

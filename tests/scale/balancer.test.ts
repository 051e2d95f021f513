// When a console dies before it answered, the balancer repeats on another console only calls that are safe to
// repeat.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { atFileEnd } from '../support/clean-up.ts';
import { allServe, hasHaproxy, startBalancer } from '../support/balancer.ts';
import { freePort } from '../support/ports.ts';

/** A console that is ready and dies during every call, after it has read all of it. `taken` records them. */
async function dyingConsole(port: number, taken: string[]): Promise<void> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    // The balancer’s own health checks are not recorded.
    if (request.url === '/readyz' || request.url === '/healthz') {
      response.end('ok');
      return;
    }
    request.resume().on('end', () => {
      taken.push(`${request.method ?? ''} ${request.url ?? ''}`);
      request.socket.destroy();
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
}

describe.skipIf(!hasHaproxy)('when a console dies after it has read a call', () => {
  it('the balancer repeats reads and usage events on another one, and never anything else', async () => {
    const taken: string[] = [];
    const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
    await Promise.all(ports.map((each) => dyingConsole(each, taken)));
    startBalancer(port, ports);
    const address = `http://127.0.0.1:${port}`;
    await allServe(address, ports.length);
    const callsTaken = async (method: string, path: string): Promise<readonly string[]> => {
      taken.length = 0;
      // When all consoles died, the caller’s own connection may end without a response.
      await fetch(address + path, { method, ...(method === 'GET' ? {} : { body: '{}' }) }).catch(
        () => undefined,
      );
      return [...taken];
    };
    expect((await callsTaken('GET', '/api/bills')).length).toBeGreaterThan(1);
    expect((await callsTaken('POST', '/api/usage/events')).length).toBeGreaterThan(1);
    for (const [method, path] of [
      ['POST', '/api/billing/top-ups'],
      ['POST', '/api/usage/reservations'],
      ['PATCH', '/api/user/profile'],
      ['PUT', '/api/admin/settings'],
      ['DELETE', '/api/admin/users/x'],
    ] as const)
      expect(await callsTaken(method, path)).toEqual([`${method} ${path}`]);
  });
});

// What the balancer asks a second console when the first one died before it answered: nothing that could then be done twice.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { atFileEnd } from '../support/clean-up.ts';
import { allServe, hasHaproxy, startBalancer } from '../support/balancer.ts';
import { freePort } from '../support/ports.ts';

/** A console that is ready and dies of every call, after it took the whole of it. `taken` notes them. */
async function dyingConsole(port: number, taken: string[]): Promise<void> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    // What the balancer asks by itself is no call.
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

describe.skipIf(!hasHaproxy)('the balancer, when a console dies after it took a call', () => {
  it('asks another one for reading and for usage events, and never for anything else', async () => {
    const taken: string[] = [];
    const [port, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
    await Promise.all(ports.map((each) => dyingConsole(each, taken)));
    startBalancer(port, ports);
    const address = `http://127.0.0.1:${port}`;
    await allServe(address, ports.length);
    const callsTaken = async (method: string, path: string): Promise<readonly string[]> => {
      taken.length = 0;
      // Where all of them died the caller's own connection may end without an answer.
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

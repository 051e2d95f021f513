// A bucket that denies access while the console runs: operations that need it report that with Retry-After,
// everything else continues.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { expect, it, vi } from 'vitest';
import { backups } from '#features/operations/backups/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { createTestConsole, setUp } from '../support/console.ts';
import { startBucket } from '../support/s3.ts';

/** A store that can be told to deny everything, as when a key is withdrawn. */
async function startDenyingStore(): Promise<{ url: string; deny: (isDenied: boolean) => void }> {
  const { url } = await startBucket();
  const behind = new URL(new URL(url).searchParams.get('endpoint') ?? '');
  let isDenied = false;
  const server = createServer((incoming, outgoing) => {
    if (isDenied) {
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'application/xml' });
      return void outgoing.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
    }
    const { method, url: path, headers } = incoming;
    incoming.pipe(
      request({ host: behind.hostname, port: behind.port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the store listens nowhere');
  return {
    url: `s3://console-files/one?endpoint=http://127.0.0.1:${address.port}`,
    deny: (denied) => (isDenied = denied),
  };
}

it('a bucket that denies access: files are answered with 503, a backup reports the reason, and both recover when access is back', async () => {
  const store = await startDenyingStore();
  const console = await createTestConsole(undefined, { FILES_URL: store.url });
  const admin = await setUp(console);
  const made = async () => {
    const { id } = await console.ok(backups.makeBackup, {}, { token: admin });
    return vi.waitFor(
      async () => {
        const found = await console.ok(backups.getBackup, { backupId: id }, { token: admin });
        expect(['done', 'failed']).toContain(found.state);
        return found;
      },
      { timeout: 50_000, interval: 100 },
    );
  };
  const first = await made();
  expect(first).toMatchObject({ state: 'done', proof: 'proven' });

  store.deny(true);
  const refused = await fetch(`${console.address}/api/admin/backups/${first.id}/file`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await refused.json()).toMatchObject({ code: 'platform.files_unavailable' });
  expect(await made()).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('FILES_URL') as string,
  });
  const { files } = await console.ok(monitoring.monitoring, {}, { token: admin });
  expect(files.map(({ verdict }) => verdict)).toEqual(['bad', 'bad']);
  expect((await console.call(identity.profile, {}, { token: admin })).status).toBe(200);

  store.deny(false);
  const again = await console.ok(backups.downloadBackup, { backupId: first.id }, { token: admin });
  expect((again.body as Uint8Array).length).toBe(first.sizeBytes);
  expect(await made()).toMatchObject({ state: 'done', proof: 'proven' });
  // Each of the backups is restored to prove it.
}, 240_000);

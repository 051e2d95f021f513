// An S3-compatible store for tests: in this process, in a temporary folder.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { atFileEnd } from './clean-up.ts';

/** Creates a bucket and returns the settings of a console that uses it. The store ends with the test file. */
export async function startBucket(): Promise<{
  readonly settings: Readonly<Record<string, string>>;
  readonly url: string;
  readonly stop: () => Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'skytally-bucket-'));
  const store = new S3rver({
    silent: true,
    directory,
    configureBuckets: [{ name: 'console-files', configs: [] }],
  });
  await store.configureBuckets();
  const server = createServer(store.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the bucket listens nowhere');
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopped ??= once(server.close(), 'close').then(() => undefined);
    server.closeAllConnections();
    await stopped;
  };
  atFileEnd(async () => {
    await stop();
    rmSync(directory, { recursive: true, force: true });
  });
  // Access keys come from the environment, as for every S3 client.
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  const url = `s3://console-files/one?endpoint=http://127.0.0.1:${address.port}`;
  return { url, settings: { FILES_URL: url }, stop };
}

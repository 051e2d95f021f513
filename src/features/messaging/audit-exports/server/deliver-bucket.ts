// Delivers entries to a bucket: an object of lines for each day or ten thousand entries, and next to it a
// summary. If the bucket's acknowledgment was lost, both are written again under the same names.
import { createHash } from 'node:crypto';
import { OutsideUnavailable, writeFailures } from '#platform/server/files/outside/outside-files.ts';
import { writeOutside } from '#platform/server/files/outside/outside-bucket.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { Target } from '../contract.ts';
import { lineOf, objectName, summaryOf } from '../rules.ts';
import { ExportFailure, longestMs, testText, type Deliver, type Sending } from './deliver.ts';

type Bucket = Extract<Target, { kind: 'bucket' }>;
const purpose = 'skytally audit export key';
export const sealedKey = (app: App, exportId: string, secret: string): Buffer =>
  seal(app, purpose, exportId, secret);

async function put(
  { app, exportId, target, secret, signal }: Sending<Bucket>,
  files: readonly { readonly name: string; readonly content: Uint8Array; readonly type: string }[],
): Promise<void> {
  const { bucket, prefix, region, endpoint, accessKeyId } = target;
  const keys =
    secret === null ? null : { accessKeyId, secretAccessKey: unseal(app, purpose, exportId, secret) };
  try {
    await writeOutside(
      { kind: 's3', bucket, prefix, region, endpoint, keys },
      app.config.privateHosts,
      files,
      AbortSignal.any([signal, AbortSignal.timeout(3 * longestMs)]),
    );
  } catch (error) {
    if (error instanceof OutsideUnavailable)
      throw new ExportFailure(writeFailures[error.failure], error.detail, error);
    throw error;
  }
}

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

export const toBucket: Deliver<Bucket> = {
  send: (sending, batch) => {
    const name = objectName(batch.entries);
    const content = Buffer.from(`${batch.entries.map(lineOf).join('\n')}\n`);
    const manifest = {
      format: 'skytally-audit/1',
      object: sending.target.prefix + name,
      ...summaryOf(batch),
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    return put(sending, [
      { name, content, type: 'application/x-ndjson' },
      // Written last: if it exists, its object is complete.
      {
        name: name.replace(/\.ndjson$/, '.manifest.json'),
        content: json(manifest),
        type: 'application/json',
      },
    ]);
  },
  test: (sending) =>
    put(sending, [{ name: 'skytally-test.json', content: json(testText), type: 'application/json' }]),
};

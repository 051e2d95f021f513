// The verification example for integrators works, and the documentation contains the same code.
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyExample } from './verify-example.ts';

type Example = {
  readonly isGenuine: (secret: string, headers: Readonly<Record<string, string>>, body: string) => boolean;
};
const folder = mkdtempSync(join(tmpdir(), 'skytally-example-'));
const secret = `whsec_${Buffer.from('a key of thirty-two bytes, exact').toString('base64')}`;
const body = '{"type":"webhook.test"}';
let example: Example;

beforeAll(async () => {
  const file = join(folder, 'example.mjs');
  writeFileSync(file, verifyExample);
  example = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Example;
});
afterAll(() => rmSync(folder, { recursive: true }));

const signed = (
  seconds: number,
  key = 'a key of thirty-two bytes, exact',
): Readonly<Record<string, string>> => {
  const timestamp = String(seconds);
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`whd_1.${timestamp}.${body}`).digest('base64')}`,
  };
};

describe('the verification example', () => {
  const now = Math.floor(Date.now() / 1000);
  it('accepts a valid signature, also with the second of two secrets', () => {
    const [old, own] = [signed(now, 'an older key of thirty-two bytes'), signed(now)];
    expect([
      example.isGenuine(secret, own, body),
      example.isGenuine(
        secret,
        { ...own, 'webhook-signature': `${old['webhook-signature']} ${own['webhook-signature']}` },
        body,
      ),
    ]).toEqual([true, true]);
  });
  it('rejects other bytes, another key, another time and old deliveries', () => {
    expect([
      example.isGenuine(secret, signed(now), `${body} `),
      example.isGenuine(secret, signed(now, 'x'), body),
      example.isGenuine(secret, { ...signed(now), 'webhook-timestamp': String(now + 1) }, body),
      example.isGenuine(secret, signed(now - 301), body),
      example.isGenuine(secret, { ...signed(now), 'webhook-timestamp': '' }, body),
      example.isGenuine(secret, { ...signed(now), 'webhook-signature': 'v1,' }, body),
    ]).toEqual([false, false, false, false, false, false]);
  });
  it('equals the one in the documentation', () => {
    expect(
      readFileSync(resolve(import.meta.dirname, '../../../../../docs/integrator/webhooks.md'), 'utf8'),
    ).toContain(verifyExample);
  });
});

// Signatures according to Standard Webhooks: HMAC-SHA256 over id, timestamp and body, with a secret that only
// the console and the endpoint know.
import { createHmac, randomBytes } from 'node:crypto';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { seal, unseal } from '#platform/server/security/sealing.ts';

const prefix = 'whsec_';
/** The specification requires 24 to 64 bytes. */
const secretBytes = 32;
const purpose = 'skytally webhook secrets';

/**
 * Generates a secret and its stored form: the encrypted bytes, and its first and last characters to recognize
 * it.
 */
export function newSecret(app: App, endpointId: string): { secret: string; sealed: Buffer; hint: string } {
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`;
  return { secret, sealed: seal(app, purpose, endpointId, secret), hint: `${prefix}…${secret.slice(-5)}` };
}

/**
 * The headers of an attempt: the same id each time, the attempt's own time in seconds, and a signature for
 * each active secret.
 */
export function signedHeaders(
  app: App,
  endpointId: string,
  message: { id: string; at: Date; body: string; secrets: readonly Buffer[] },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signatures = message.secrets.map((sealed) => {
    const key = Buffer.from(unseal(app, purpose, endpointId, sealed).slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Skytally-Webhooks/1',
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

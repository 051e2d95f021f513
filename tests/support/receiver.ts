// A customer's server for tests: receives webhooks over HTTP, stores them, and answers as the test sets.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StandIn } from './stand-in.ts';

export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export class Receiver extends StandIn {
  readonly received: Received[] = [];
  /** The status of its responses; 0 leaves the caller waiting. */
  status = 200;
  answer = 'ok';
  /** The number of requests that it has not answered. */
  open = 0;

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    this.received.push({ path: request.url ?? '', headers, body: await text(request) });
    if (this.status === 0) {
      this.open++;
      return;
    }
    response.writeHead(this.status, { 'content-type': 'text/plain' }).end(this.answer);
  }

  /** The requests to a path. */
  at(path: string): readonly Received[] {
    return this.received.filter((each) => each.path === path);
  }
}

/**
 * Whether one of the signatures matches the secret, computed independently from the specification
 * (standardwebhooks.com).
 */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const expected = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const [version, signature = ''] = each.split(',');
    const bytes = Buffer.from(signature, 'base64');
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

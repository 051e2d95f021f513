// A simulated SMS gateway: one that accepts JSON, and Twilio.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { StandIn } from './stand-in.ts';

export type SmsCall = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

export class FakeSmsGateway extends StandIn {
  readonly calls: SmsCall[] = [];
  /** The responses to the next calls, in order; after that they are accepted. */
  readonly answers: { status: number; body: string }[] = [];

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.calls.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    });
    const answer = this.answers.shift() ?? {
      status: 201,
      body: JSON.stringify({ sid: `SM${this.calls.length}`, status: 'queued' }),
    };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }
}

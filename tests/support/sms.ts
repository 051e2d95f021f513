// A simulated SMS gateway: one that accepts JSON, and Twilio.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StandIn } from './stand-in.ts';

export type SmsCall = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

export class FakeSmsGateway extends StandIn {
  readonly calls: SmsCall[] = [];
  /** The responses to the next calls, in order; after that they are accepted. */
  readonly answers: { status: number; body: string }[] = [];

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls.push({
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    });
    const answer = this.answers.shift() ?? {
      status: 201,
      body: JSON.stringify({ sid: `SM${this.calls.length}`, status: 'queued' }),
    };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }
}

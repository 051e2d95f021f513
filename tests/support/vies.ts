// A simulated VIES: answers for the VAT ids that a test gave it, written from the description of its REST
// interface.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StandIn } from './stand-in.ts';

export type ViesQuestion = {
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requesterMemberStateCode?: string;
  readonly requesterNumber?: string;
};

export class FakeVies extends StandIn {
  readonly questions: ViesQuestion[] = [];
  /** Registered companies by VAT id. */
  readonly companies = new Map<string, { name: string; address: string }>();
  /** What the next query gets instead of an answer: a member state's error, invalid data, or a rejection. */
  readonly mishaps: ('MS_UNAVAILABLE' | 'nonsense' | 'busy')[] = [];

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.method !== 'POST' || request.url !== '/check-vat-number') {
      response.writeHead(404).end();
      return;
    }
    const question = JSON.parse(body) as ViesQuestion;
    this.questions.push(question);
    const send = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    const mishap = this.mishaps.shift();
    if (mishap === 'busy') return send(503, '{}');
    if (mishap === 'nonsense') return send(200, '<html>');
    if (mishap)
      return send(200, JSON.stringify({ actionSucceed: false, errorWrappers: [{ error: mishap }] }));
    const found = this.companies.get(`${question.countryCode}${question.vatNumber}`);
    send(
      200,
      JSON.stringify({
        countryCode: question.countryCode,
        vatNumber: question.vatNumber,
        requestDate: '2024-09-01T00:00:00.000Z',
        valid: found !== undefined,
        requestIdentifier: question.requesterNumber === undefined ? '' : `WAPIAAAA${this.questions.length}`,
        name: found?.name ?? '---',
        address: found?.address ?? '---',
      }),
    );
  }
}

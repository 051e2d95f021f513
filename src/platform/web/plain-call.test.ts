import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { callFor, callPlainly, looksLike } from './plain-call.ts';
import type { Request, Transport } from './transport.ts';

/** A console that answers `body`. */
function answering(body: unknown, status = 200): { readonly transport: Transport; readonly sent: Request[] } {
  const sent: Request[] = [];
  const transport: Transport = {
    prove: () => Promise.resolve(false),
    send: (request) => {
      sent.push(request);
      return Promise.resolve(Response.json(body, { status }));
    },
    failure: (key) => new ApiError({ status: 0, code: key, message: key }),
  };
  return { transport, sent };
}
const route = { method: 'POST', path: '/user/login' } as const;
const refused = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );

describe('R-API-01 calls of the pages before sign-in', () => {
  it('send their input and answer the data', async () => {
    const { transport, sent } = answering({
      data: { token: 't', more: [1] },
      isSuccess: true,
      message: 'Success',
    });
    expect(await callFor(route, transport, { token: '' }, { account: 'a' })).toEqual({
      token: 't',
      more: [1],
    });
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/user/login',
        needsSession: false,
        body: '{"account":"a"}',
        contentType: 'application/json',
      },
    ]);
  });

  it('throw what the server says, and that an answer is unreadable', async () => {
    expect(
      await refused(
        callPlainly(
          route,
          answering({ data: null, isSuccess: false, message: 'No', code: 'login.incorrect' }, 401).transport,
        ),
      ),
    ).toBe('login.incorrect');
    expect(
      await refused(
        callFor(route, answering({ data: { token: 1 }, isSuccess: true, message: 'Success' }).transport, {
          token: '',
        }),
      ),
    ).toBe('connection.unreadable');
  });
});

describe('looksLike', () => {
  it.each<[unknown, Parameters<typeof looksLike>[1], boolean]>([
    [{ a: 'x', b: { c: 1 } }, { a: '', b: { c: 0 } }, true],
    [{ a: 'x', b: { c: '1' } }, { a: '', b: { c: 0 } }, false],
    [{ a: null }, { a: null }, true],
    [{ a: 'x' }, { a: null }, true],
    [{ a: 1 }, { a: null }, false],
    [{}, { a: '' }, false],
    [null, { a: '' }, false],
  ])('%j as %j: %s', (data, sample, expected) => {
    expect(looksLike(data, sample)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { readEnvelope, toastOf } from './envelope.ts';

const headers = new Headers({ 'x-request-id': 'req_1' });
const read = (body: unknown, ok = true) => {
  const { headers: sameHeaders, ...rest } = readEnvelope(body, ok, headers);
  expect(sameHeaders).toBe(headers);
  return rest;
};

describe('R-API-02 envelope', () => {
  it.each<[string, unknown, boolean, object]>([
    [
      'success',
      { data: { a: 1 }, isSuccess: true, message: 'Success' },
      true,
      { data: { a: 1 }, isSuccess: true, message: 'Success' },
    ],
    ['default of success', { data: [] }, true, { data: [], isSuccess: true, message: 'Success' }],
    [
      'an empty message counts as none',
      { data: 1, isSuccess: true, message: '' },
      true,
      { message: 'Success' },
    ],
    [
      'refusal',
      { data: null, isSuccess: false, message: '已付款', code: 'billing.already_paid' },
      false,
      { data: null, isSuccess: false, message: '已付款', code: 'billing.already_paid' },
    ],
    ['default of failure', { data: null, isSuccess: false }, false, { message: 'Error occurred' }],
    [
      'a bad status wins over isSuccess',
      { data: 1, isSuccess: true, message: 'Success' },
      false,
      { isSuccess: false },
    ],
    [
      'isSuccess false wins over a good status',
      { data: null, isSuccess: false, message: 'x' },
      true,
      { isSuccess: false, message: 'x' },
    ],
    ['request id from the body', { isSuccess: false, requestId: 'req_2' }, false, { requestId: 'req_2' }],
    ['request id from the header', { isSuccess: false }, false, { requestId: 'req_1' }],
    [
      'field errors, invalid ones omitted',
      { isSuccess: false, errors: [{ field: 'a', code: 'b', message: 'c' }, { field: 1 }] },
      false,
      { errors: [{ field: 'a', code: 'b', message: 'c' }] },
    ],
    ['no body at all', null, false, { data: null, isSuccess: false, message: 'Error occurred' }],
    ['a text', '<html>', false, { data: null, isSuccess: false, message: 'Error occurred' }],
  ])('%s', (_name, body, ok, expected) => {
    expect(read(body, ok)).toMatchObject(expected);
  });
});

describe('R-API-03 older envelopes and permission responses', () => {
  it.each<[string, unknown, boolean, object]>([
    [
      'all Success',
      [{ messages: ['Success'] }, { messages: ['Success'] }],
      true,
      { isSuccess: true, message: 'Success' },
    ],
    [
      'one is not',
      { results: [{ messages: ['Success'] }, { messages: ['Name is taken'] }] },
      true,
      { isSuccess: false, message: 'Name is taken' },
    ],
    [
      'named message',
      { result: [{ message: ['Success'] }], data: { id: 1 } },
      true,
      { isSuccess: true, data: { id: 1 } },
    ],
    [
      'no message means no success',
      [{ messages: [] }],
      true,
      { isSuccess: false, message: 'Error occurred' },
    ],
    ['Success on a bad status is none', [{ messages: ['Success'] }], false, { isSuccess: false }],
    [
      'permission granted',
      { success: true, msg: 'ok', data: { menu: [] } },
      true,
      { isSuccess: true, message: 'Success', data: { menu: [] } },
    ],
    [
      'permission denied with msg',
      { success: false, msg: 'Denied', data: { msg: 'inner' } },
      true,
      { isSuccess: false, message: 'Denied' },
    ],
    [
      'permission denied with data.msg',
      { success: false, data: { msg: 'inner' } },
      true,
      { isSuccess: false, message: 'inner' },
    ],
    [
      'permission denied without a message',
      { success: false },
      true,
      { isSuccess: false, message: 'Error occurred' },
    ],
  ])('%s', (_name, body, ok, expected) => {
    expect(read(body, ok)).toMatchObject(expected);
  });

  it.each([
    [{ message: 'Success' }, 'success', 'Success'],
    [{ message: 'File downloaded successfully' }, 'error', 'File downloaded successfully'],
    [{ message: '' }, 'error', ''],
    [undefined, 'error', 'Unknown Error!'],
    [null, 'error', 'Unknown Error!'],
  ] as const)('toast of %o is %s', (result, kind, message) => {
    expect(toastOf(result)).toEqual({ kind, message });
  });
});

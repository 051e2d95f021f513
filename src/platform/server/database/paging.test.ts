// Positions in lists as texts that callers send back.
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './paging.ts';

it('a cursor gives back its parts', () => {
  const parts = ['-createdAt', '2026-11-30 06:00:00.123456+00', '帳單'] as const;
  expect(decodeCursor(encodeCursor(parts))).toEqual(parts);
});

it.each([
  ['other numbers of parts', Buffer.from('["a","b"]').toString('base64url')],
  ['parts that are no texts', Buffer.from('["a",1,"b"]').toString('base64url')],
  ['no list', Buffer.from('{"a":1}').toString('base64url')],
  ['no JSON', 'not-a-cursor'],
  ['nothing', ''],
])('a text with %s is no cursor', (_name, text) => {
  expect(decodeCursor(text)).toBeUndefined();
});

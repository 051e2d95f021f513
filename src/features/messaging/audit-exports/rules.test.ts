// The exported form of each entry, and when an object is complete.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  batchLimits,
  fitting,
  lineOf,
  objectName,
  pauseAfter,
  summaryOf,
  syslogFrame,
  syslogOf,
  webAddressOf,
  wholeObject,
  type Entry,
} from './rules.ts';

const entry = (seq: number, more: Partial<Entry> = {}): Entry => ({
  seq,
  id: `aud_${seq}`,
  at: '2026-11-26T10:00:00.123456',
  actorKind: 'user',
  actorId: 'usr_1',
  action: 'costs.createCostSource',
  subject: '',
  detail: '{"name": "雲端「帳單」\\n"}',
  requestId: 'req',
  hash: String(seq).padStart(64, '0'),
  ...more,
});
const run = (first: number, count: number, more: Partial<Entry> = {}): Entry[] =>
  Array.from({ length: count }, (_each, place) => entry(first + place, more));

describe('a line of an audit export', () => {
  test('T-AUDX: is ASCII, one line, and reads back as the same entry, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (detail, action) => {
        const one = entry(7, { detail, action });
        const line = lineOf(one);
        expect(line).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(line)).toEqual(one);
      }),
      { numRuns: 30 },
    );
  });
});

describe('syslog', () => {
  /** RFC 5424 by its grammar, with RFC 6587’s count before it. */
  const message =
    /^(?<count>[1-9]\d*) (?<text><110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [\x21-\x7e]{1,255} skytally - [\x21-\x7e]{1,32} \[audit@32473(?: [\x21-\x7e]+?="(?:[^"\\\]]|\\["\\\]])*")+\] (?<body>.*))$/s;
  test('T-AUDX: a message is RFC 5424 with octet counting, and contains position and hashes', () => {
    const found = message.exec(syslogOf(entry(12), 'a'.repeat(64), 'console.example.com'))?.groups;
    expect(Number(found?.['count'])).toBe(Buffer.byteLength(found?.['text'] ?? ''));
    expect(found?.['text']).toContain(`seq="12" id="aud_12" hashBefore="${'a'.repeat(64)}" hash="`);
    expect(JSON.parse(found?.['body'] ?? '')).toEqual(entry(12));
  });
  test('T-AUDX: no value ends its field or the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (value, name) => {
        const frame = syslogFrame({
          at: '2026-11-26T10:00:00.123456',
          host: name,
          messageId: value,
          data: { seq: value },
          text: 'x',
        });
        const found = message.exec(frame)?.groups;
        expect(found?.['body']).toBe('x');
        expect(Number(found?.['count'])).toBe(Buffer.byteLength(found?.['text'] ?? ''));
      }),
    );
  });
  test.each([
    [{ host: 'logs.example.com', port: 6514, isTls: true }, 'https://logs.example.com:6514'],
    [{ host: '::1', port: 514, isTls: false }, 'http://[::1]:514'],
  ])('T-AUDX: %o is checked as %s', (target, address) => expect(webAddressOf(target)).toBe(address));
});

describe('batches of audit exports', () => {
  test('T-AUDX: are limited by number and length, and never empty while entries wait', () => {
    expect(fitting([], 'webhook')).toEqual([]);
    expect(fitting(run(1, 201), 'webhook')).toHaveLength(batchLimits.webhook.entries);
    const long = run(1, 3, { detail: 'x'.repeat(300_000) });
    expect(fitting(long, 'webhook')).toHaveLength(1);
    expect(fitting(run(1, 1, { detail: 'x'.repeat(900_000) }), 'webhook')).toHaveLength(1);
  });
  const [day, next] = ['2026-11-26', '2026-11-27'];
  const at = (date: string): Partial<Entry> => ({ at: `${date}T23:59:59.999999` });
  test.each<[string, readonly Entry[], string, number]>([
    ['nothing waits', [], next, 0],
    ['the day is not over', run(1, 3, at(day)), day, 0],
    ['the day is over', run(1, 3, at(day)), next, 3],
    ['there are later entries', [...run(1, 2, at(day)), entry(3, at(next))], day, 2],
    [
      'an entry of an earlier day follows',
      [entry(1, at(next)), entry(2, at(day)), entry(3, at(next))],
      '2026-11-28',
      3,
    ],
    ['there are ten thousand', run(1, 10_001, at(day)), day, 10_000],
    ['there are exactly ten thousand', run(1, 10_000, at(day)), day, 10_000],
  ])('T-AUDX: are an object when %s', (_when, entries, today, count) => {
    expect(wholeObject(entries, today)).toHaveLength(count);
  });
  test('T-AUDX: have the same name for the same entries, which describes them', () => {
    const entries = run(9, 3);
    expect(objectName(entries)).toBe('2026/11/26/audit-000000000009-000000000011.ndjson');
    expect(summaryOf({ entries, hashBefore: 'b' })).toEqual({
      first: 9,
      last: 11,
      count: 3,
      hashBefore: 'b',
      hashAfter: '11'.padStart(64, '0'),
    });
  });
  test('T-AUDX: pauses double, up to less than a quarter of an hour', () =>
    expect([0, 1, 2, 3, 8, 9, 100].map(pauseAfter)).toEqual([5, 5, 10, 20, 640, 900, 900]));
});

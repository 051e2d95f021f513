import { describe, expect, it } from 'vitest';
import {
  eventsOfJson,
  eventsOfResult,
  fitsCredentials,
  isSameServers,
  pauseAfter,
  ratePerMinute,
  readAddresses,
  readJson,
  webAddressOf,
} from './rules.ts';

const read = (typed: string, kind: 'nats' | 'kafka' | 'mqtt' = 'nats') => {
  const addresses = readAddresses(typed, kind);
  return typeof addresses === 'string' ? addresses : addresses.map(webAddressOf);
};

describe('broker addresses', () => {
  it('T-STREAM: have the scheme of their kind, the default port, and one connection type', () => {
    expect(read('tls://nats.example.com')).toEqual(['https://nats.example.com:4222']);
    expect(read('nats://[::1]:4333')).toEqual(['http://[::1]:4333']);
    expect(read('kafka+tls://a.example.com, kafka+tls://B.example.com:9999', 'kafka')).toEqual([
      'https://a.example.com:9093',
      'https://b.example.com:9999',
    ]);
    expect(read('mqtts://m.example.com', 'mqtt')).toEqual(['https://m.example.com:8883']);
    for (const [typed, issue] of [
      ['nats.example.com', 'malformed'],
      ['nats://a:0', 'malformed'],
      ['nats://a:70000', 'malformed'],
      ['nats://a/path', 'malformed'],
      ['mqtt://a', 'scheme'],
      ['nats://a,tls://b', 'scheme'],
      ['nats://me@a', 'credentials'],
      ['tls://a,tls://b,tls://c,tls://d,tls://e,tls://f', 'too_many'],
    ] as const)
      expect(read(typed), typed).toBe(issue);
  });

  it('T-STREAM: are the same servers only if every one was there before', () => {
    const [one, two] = [
      { host: 'a', port: 1, isTls: true },
      { host: 'b', port: 1, isTls: true },
    ];
    expect(isSameServers([one, two], [two])).toBe(true);
    expect(isSameServers([one], [one, two])).toBe(false);
    expect(isSameServers([one], [{ ...one, isTls: false }])).toBe(false);
    expect([fitsCredentials('nats', 'token'), fitsCredentials('kafka', 'token')]).toEqual([true, false]);
  });
});

describe('events of a message', () => {
  const place = { source: '/event-streams/est_1', positionId: 'T/0/7' };
  const made = (result: unknown, positionId: string | undefined = place.positionId) =>
    eventsOfResult(result, { ...place, positionId });

  it('T-STREAM: have the message’s position as their id, or their own', () => {
    expect(made({ subject: 's', type: 't' })).toEqual([
      { specversion: '1.0', source: place.source, subject: 's', type: 't', id: 'T/0/7' },
    ]);
    expect(made([{ type: 'a' }, { type: 'b' }, { type: 'c', id: 12 }])).toMatchObject([
      { id: 'T/0/7' },
      { id: 'T/0/7#1' },
      { id: '12' },
    ]);
    expect(eventsOfResult({ type: 'a' }, { source: '/s', positionId: undefined })).toMatchObject({
      code: 'eventstreams.mapping_no_id',
    });
  });

  it('T-STREAM: are empty for null, and an error for anything but an object', () => {
    expect(made(null)).toEqual([]);
    expect(made('text')).toMatchObject({ code: 'eventstreams.mapping_no_event' });
    expect(made([{}, 3])).toMatchObject({ code: 'eventstreams.mapping_no_event' });
    expect(made(Array.from({ length: 10_001 }, () => ({})))).toMatchObject({
      code: 'eventstreams.message_too_many',
    });
    expect(eventsOfJson([1, 2])).toEqual([1, 2]);
  });

  it('T-STREAM: keep the significant digits of calculated values, and long numbers unchanged', () => {
    const value = (given: unknown) =>
      (made({ data: { value: given } }) as { data: { value: unknown } }[])[0]?.data.value;
    expect([value(0.1 + 0.2), value('0.1'), value(7), value(1e21)]).toEqual([
      '0.3',
      '0.1',
      '7',
      '1000000000000000000000',
    ]);
    expect(readJson('{"a":12345678901234567890.5,"b":0.1}', true)).toEqual({
      value: { a: '12345678901234567890.5', b: 0.1 },
    });
    expect(readJson('{', true)).toMatchObject({ code: 'eventstreams.message_no_json' });
  });
});

describe('pauses and rates', () => {
  it('T-STREAM: pauses double up to five minutes', () => {
    expect([1, 2, 3, 8, 9, 1000].map(pauseAfter)).toEqual([2, 4, 8, 256, 300, 300]);
  });

  it('T-STREAM: the rate is that of the last whole minute, and zero if that was long ago', () => {
    const minute = new Date('2026-01-01T10:05:00Z');
    const rate = { minute, count: 30, before: 70 };
    expect(ratePerMinute(rate, new Date('2026-01-01T10:05:59Z'))).toBe(70);
    expect(ratePerMinute(rate, new Date('2026-01-01T10:06:01Z'))).toBe(30);
    expect(ratePerMinute(rate, new Date('2026-01-01T10:07:00Z'))).toBe(0);
    expect(ratePerMinute({ ...rate, minute: null }, minute)).toBe(0);
  });
});

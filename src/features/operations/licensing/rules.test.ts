// Rules of licenses: canonical JSON, the strict parser, machine fingerprints, and validity.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  expiryOf,
  isWeak,
  readMachine,
  stateOf,
  thresholdOf,
  type Canonical,
} from './rules.ts';
import { readJson } from './rules-json.ts';

describe('canonical JSON (RFC 8785)', () => {
  it.each<[string, Canonical, string]>([
    [
      'names in the order of UTF-16',
      {
        '\u20ac': 'Euro Sign',
        '\r': 'Carriage Return',
        '\ufb33': 'Hebrew',
        '1': 'One',
        '\ud83d\ude00': 'Smiley',
        '\u0080': 'Control',
        ö: 'Latin',
      },
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin","€":"Euro Sign","😀":"Smiley","\ufb33":"Hebrew"}',
    ],
    ['texts as ECMAScript writes them', '\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [
      'whole numbers, words, lists',
      [0, -0, -7, 9_007_199_254_740_991, true, false, null, {}],
      '[0,0,-7,9007199254740991,true,false,null,{}]',
    ],
  ])('%s', (_what, value, text) => expect(canonicalJson(value)).toBe(text));
  it.each<[string, Canonical]>([
    ['a fraction', 1.5],
    ['an inexact number', 2 ** 53],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate as a name', { '\udc00': 1 }],
  ])('cannot represent %s', (_what, value) => expect(() => canonicalJson(value)).toThrow());
  const values = fc.letrec<{ value: Canonical }>((tie) => ({
    value: fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  it('reads back as the same value, independent of the order of names', () =>
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        const read = readJson(text, 100);
        expect('value' in read && canonicalJson(read.value as Canonical)).toBe(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()))).toBe(text);
      }),
    ));
});

describe('the strict JSON parser', () => {
  it('accepts what JSON.parse accepts, with the same result', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const read = readJson(JSON.stringify(value, null, indent), 1000);
        expect('value' in read && read.value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    ));
  const failed = Symbol('no JSON');
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return failed;
    }
  };
  it('rejects what JSON.parse rejects', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]":,0-1.eE+ \\u"tfn\n')) }), (text) => {
        const read = readJson(text, 1000);
        expect('value' in read ? read.value : read.mistake.kind === 'syntax' ? failed : parsed(text)).toEqual(
          parsed(text),
        );
      }),
      { numRuns: 2000 },
    ));
  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'syntax', 3, 7],
    ['{"a":1}x', 'syntax', 1, 8],
    ['{"a":1,\n "a":2}', 'twice', 2, 2],
    ['{"a":{"b":1,"\\u0062":2}}', 'twice', 1, 13],
    ['[[[[]]]]', 'deep', 1, 4],
    ['', 'syntax', 1, 1],
    ['{"a":"\n"}', 'syntax', 1, 6],
    ['{"__proto__":1,"__proto__":2}', 'twice', 1, 16],
  ])('reports the position: %j', (text, kind, line, column) =>
    expect(readJson(text, 3)).toEqual({ mistake: { kind, place: { line, column } } }),
  );
});

const machine = {
  hostname: 'db-01',
  platform: 'linux',
  machineId: '3d1219c7c4c5404aaa1f6d2a48adfda4',
  systemUuid: '4C4C4544-0051-3510-8052-B4C04F4D4E32',
  systemSerial: '5Q5RMN2',
  boardSerial: '/5Q5RMN2/CNFCP0079E00AB/',
  cpu: 'Intel(R) Xeon(R)',
  macAddresses: ['b8:ca:3a:00:00:01', 'B8-CA-3A-00-00-02'],
  diskSerials: ['S3Z9NB0K'],
};
const codeOf = (text: string) => {
  const read = readMachine(text);
  return 'mistake' in read ? [read.mistake.code, read.mistake.params['line']] : 'good';
};

describe('a machine-details file (reliability.md 2.E-81)', () => {
  it('gives its components, independent of formatting', () => {
    const read = readMachine(JSON.stringify({ ...machine, unknown: { of: 'a later collector' } }));
    const again = readMachine(
      `\uFEFF${JSON.stringify({ ...machine, systemUuid: machine.systemUuid.toLowerCase(), hostname: ' DB-01 ', macAddresses: ['b8:ca:3a:00:00:02', 'b8ca3a000001'] })}`,
    );
    expect(
      'machine' in read &&
        'machine' in again && [again.machine.parts, read.machine.parts.length, read.machine.ignored],
    ).toEqual(['machine' in read && read.machine.parts, 8, []]);
  });
  it('excludes and reports values that many machines share', () => {
    const read = readMachine(
      JSON.stringify({
        ...machine,
        systemUuid: '03000200-0400-0500-0006-000700080009',
        systemSerial: 'To be filled by O.E.M.',
        boardSerial: 'Default  string',
        macAddresses: ['00:00:00:00:00:00', '02:42:ac:11:00:02', 'b8:ca:3a:00:00:01'],
        diskSerials: ['0000-0000', ''],
      }),
    );
    expect(
      'machine' in read && [
        read.machine.parts.map((part) => part.kind),
        read.machine.ignored.map((each) => each.value),
      ],
    ).toEqual([
      ['macAddresses', 'machineId', 'cpu', 'hostname'],
      [
        '03000200-0400-0500-0006-000700080009',
        'To be filled by O.E.M.',
        'Default  string',
        '00:00:00:00:00:00',
        '02:42:ac:11:00:02',
        '0000-0000',
      ],
    ]);
    expect('machine' in read && isWeak(read.machine.parts)).toBe(true);
  });
  it.each([
    [
      'too few parts',
      JSON.stringify({ hostname: 'db-01', cpu: 'x86' }),
      'licensing.machine_too_few',
      undefined,
    ],
    [
      'no hardware component',
      JSON.stringify({ hostname: 'db-01', cpu: 'x86', machineId: machine.machineId }),
      'licensing.machine_no_hardware',
      undefined,
    ],
    ['no object', '[1]', 'licensing.machine_no_object', 1],
    ['a program before it', '<?php /*{"hostname":"a"}*/', 'licensing.machine_syntax', 1],
    ['data after it', '{"hostname":"a"}\nGIF89a', 'licensing.machine_syntax', 2],
    ['a duplicate name', '{"hostname":"a",\n"hostname":"b"}', 'licensing.machine_twice', 2],
    ['50 levels', `{"x":${'['.repeat(50)}${']'.repeat(50)}}`, 'licensing.machine_deep', 1],
    [
      'a field of another shape',
      '{\n"hostname":"a",\n"macAddresses":"b8:ca:3a:00:00:01"}',
      'licensing.machine_field',
      3,
    ],
    ['a number for a text', '{\n"cpu":7}', 'licensing.machine_field', 2],
    ['a NUL in a text', '{"hostname":"a\\u0000"}', 'licensing.machine_field', 1],
    [
      'more than 64 kB',
      JSON.stringify({ hostname: '統'.repeat(22_000) }),
      'licensing.machine_too_big',
      undefined,
    ],
  ])('is rejected for %s', (_what, text, code, line) => expect(codeOf(text)).toEqual([code, line]));
  it('is accepted or rejected for any input, without other errors', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json({ maxDepth: 12 }),
          fc
            .record({ hostname: fc.anything(), macAddresses: fc.anything(), cpu: fc.anything() })
            .map((value) =>
              JSON.stringify(value, (_name, each: unknown) =>
                typeof each === 'bigint' ? each.toString() : each,
              ),
            ),
        ),
        (text) => {
          expect(() => readMachine(text)).not.toThrow();
        },
      ),
    ));
});

describe('matching k of n components', () => {
  it('always tolerates one changed component, and never accepts the installation alone if two hardware components are known', () => {
    for (let hard = 1; hard <= 5; hard++) {
      for (let soft = 0; soft <= 3; soft++) {
        const n = hard + soft;
        if (n < 3) continue;
        expect(thresholdOf(n)).toBeLessThanOrEqual(n - 1);
        expect(thresholdOf(n)).toBeGreaterThanOrEqual(2);
        if (hard >= 2) expect(thresholdOf(n), `${hard} + ${soft}`).toBeGreaterThan(soft);
      }
    }
  });
});

describe('the validity of a license', () => {
  const now = new Date('2026-11-22T00:00:00Z');
  it.each([
    [365, null, '2027-11-22', false],
    [365, '2027-01-01', '2027-01-01', true],
    [10, '2027-01-01', '2026-12-02', false],
  ])('%s days, subscription until %s: %s', (days, end, at, isCut) => {
    expect(expiryOf(now, days, end === null ? null : new Date(end))).toEqual({ at: new Date(at), isCut });
  });
  it.each([
    ['2027-01-01', null, null, 'valid'],
    ['2026-12-22', null, null, 'expiring'],
    ['2026-12-23', null, null, 'valid'],
    ['2026-11-22', null, null, 'expired'],
    ['2027-01-01', '2026-11-01', 'lic', 'revoked'],
    ['2026-01-01', null, 'lic', 'superseded'],
  ])('until %s, revoked %s, superseded %s: %s', (until, revoked, supersededBy, state) => {
    expect(
      stateOf(
        { expiresAt: new Date(until), revokedAt: revoked === null ? null : new Date(revoked), supersededBy },
        now,
      ),
    ).toBe(state);
  });
});

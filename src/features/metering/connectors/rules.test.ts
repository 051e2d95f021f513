import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import {
  decimalOf,
  eventTime,
  fieldAt,
  lagSeconds,
  nextWindow,
  ownerOf,
  pauseAfter,
  quantityOf,
  windowStart,
} from './rules.ts';
import { heldOf, riseOf, type Sample } from './rules-counter.ts';
import { hasLongNumber, parseExactly } from '#kernel/exact-json.ts';

const at = (text: string): Date => new Date(`2024-09-01T${text}Z`);
const one = { multiplyBy: '1', divideBy: '1' };
const sub = (letter: string): Id<'sub'> => `sub_${letter.repeat(26)}` as Id<'sub'>;

describe('windows of a connector', () => {
  it('T-CONN: are on a grid from 1970 and read only after they are over and settled', () => {
    expect(windowStart(at('10:59:59.999'), 3600)).toEqual(at('10:00:00'));
    expect(nextWindow(at('10:00:00'), 3600, 120, at('11:01:59.999'))).toBeUndefined();
    expect(nextWindow(at('10:00:00'), 3600, 120, at('11:02:00'))).toEqual({
      start: at('10:00:00'),
      end: at('11:00:00'),
    });
  });

  it('T-CONN: have a lag counted from when the oldest unread window could have been read', () => {
    expect(lagSeconds(at('10:00:00'), 3600, 120, at('11:02:00'))).toBe(0);
    expect(lagSeconds(at('10:00:00'), 3600, 120, at('12:02:00'))).toBe(3600);
    expect(lagSeconds(at('10:00:00'), 3600, 120, at('10:30:00'))).toBe(0);
  });

  it('T-CONN: are retried with doubled pauses, up to an hour, or as long as the source requests', () => {
    expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, null))).toEqual([30, 60, 120, 3600]);
    expect(pauseAfter(1, 900)).toBe(900);
    expect(pauseAfter(5, 1)).toBe(480);
  });

  it('T-CONN: place an event at their start, or at the start of a subscription that began within them', () => {
    const window = { start: at('10:00:00'), end: at('11:00:00') };
    expect(eventTime(window, at('08:00:00'))).toEqual(at('10:00:00'));
    expect(eventTime(window, at('10:20:00'))).toEqual(at('10:20:00'));
    expect(eventTime(window, at('11:00:00'))).toEqual(at('10:00:00'));
  });
});

describe('mapping readings', () => {
  const fields = { labels: { project: 'acme', 'app.kubernetes.io/name': 'web' }, sub: sub('c') };

  it('T-CONN: finds fields by their path, also when a name contains dots', () => {
    expect(fieldAt(fields, 'labels.project')).toBe('acme');
    expect(fieldAt(fields, 'labels.app.kubernetes.io/name')).toBe('web');
    expect(fieldAt(fields, 'labels.none')).toBeUndefined();
    expect(fieldAt(fields, 'constructor')).toBeUndefined();
  });

  it('T-CONN: uses an Admin’s decision first, then the field, then the first matching rule', () => {
    const rules = [
      { field: 'labels.project', value: 'ac', subscriptionId: sub('x') },
      { field: 'labels.project', value: 'ac*', subscriptionId: sub('a') },
      { field: 'labels.project', value: 'acme', subscriptionId: sub('b') },
    ];
    expect(ownerOf({ subscriptionField: '', rules }, fields, null)).toEqual({
      subscriptionId: sub('a'),
      rule: 1,
    });
    expect(ownerOf({ subscriptionField: 'sub', rules }, fields, null)?.subscriptionId).toBe(sub('c'));
    expect(ownerOf({ subscriptionField: 'labels.project', rules }, fields, null)?.rule).toBe(1);
    expect(ownerOf({ subscriptionField: 'sub', rules }, fields, sub('d'))?.subscriptionId).toBe(sub('d'));
    expect(ownerOf({ subscriptionField: '', rules: [] }, fields, null)).toBeUndefined();
  });

  it('T-CONN: computes exact quantities, rounded once, half away from zero, at the twelfth digit', () => {
    expect(quantityOf('0.1', one)).toBe('0.1');
    expect(quantityOf(0.1 + 0.2, one)).toBe('0.3');
    expect(quantityOf('1073741824', { multiplyBy: '1', divideBy: '1073741824' })).toBe('1');
    expect(quantityOf('2', { multiplyBy: '1', divideBy: '3' })).toBe('0.666666666667');
    expect(quantityOf('123456789012345678', one)).toBe('123456789012345678');
    expect(quantityOf('1.5e3', one)).toBe('1500');
    expect(quantityOf(1e-7, one)).toBe('0.0000001');
    for (const wrong of ['-1', 'NaN', '+Inf', null, undefined, true, '', 'abc', Number.NaN, 1e25])
      expect(quantityOf(wrong, one)).toBeUndefined();
  });

  it('T-CONN: reads any number with up to 15 digits unchanged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999_999 }),
        fc.integer({ min: 0, max: 20 }),
        (digits, shift) => {
          const text = `${digits}e-${shift}`;
          expect(decimalOf(Number(text))?.eq(decimalOf(text) ?? decimal('-1'))).toBe(true);
        },
      ),
    );
  });

  it('T-CONN: keeps JSON numbers with more digits than a floating-point number holds', () => {
    const text = '{"a":12345678901234567890,"b":0.1,"c":"12345678901234567890","d":[0.1234567890123456789]}';
    expect(hasLongNumber(text)).toBe(true);
    expect(parseExactly(text)).toEqual({
      a: '12345678901234567890',
      b: 0.1,
      c: '12345678901234567890',
      d: ['0.1234567890123456789'],
    });
    expect(hasLongNumber('{"a":123456789012345}')).toBe(false);
  });
});

describe('counters', () => {
  const window = (from: number, until: number) => ({ start: new Date(from), end: new Date(until) });

  it('T-CONN: an increase belongs to the window of its later sample, and a decrease is a reset', () => {
    const samples: Sample[] = [
      [900, '10'],
      [1000, '15'],
      [1500, '4'],
      [1999, '6'],
      [2000, '9'],
    ];
    expect(riseOf(samples, window(1000, 2000))).toBe('11');
    expect(riseOf(samples, window(2000, 3000))).toBe('3');
    expect(riseOf(samples, window(3000, 4000))).toBeUndefined();
    expect(riseOf([[1000, '15']], window(1000, 2000))).toBe('0');
    expect(
      riseOf(
        [
          [900, '1'],
          [1000, 'NaN'],
          [1001, '2.5'],
        ],
        window(1000, 2000),
      ),
    ).toBe('1.5');
  });

  it('T-CONN: adjacent windows add up to the count, for any samples and resets', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 1000 }), fc.boolean()),
          {
            minLength: 2,
            maxLength: 60,
          },
        ),
        (steps) => {
          let [time, counter, total] = [0, 500, 0];
          const samples: Sample[] = [[0, '500']];
          for (const [pause, rise, isReset] of steps) {
            time += pause;
            // A reset is visible only if the value drops; others cannot be detected.
            const next = isReset && rise < counter ? rise : counter + rise;
            total += rise;
            counter = next;
            samples.push([time, String(counter)]);
          }
          const windows = Array.from({ length: Math.floor(time / 1000) + 1 }, (_, place) =>
            window(place * 1000, (place + 1) * 1000),
          );
          const sum = sumDecimals(windows.map((each) => decimal(riseOf(samples, each) ?? '0')));
          expect(decimalText(sum)).toBe(String(total));
        },
      ),
    );
  });

  it('T-CONN: a gauge counts its value for as long as it lasted', () => {
    const samples: Sample[] = [
      [0, '2'],
      [60_000, '4'],
      [120_000, '9'],
    ];
    expect(heldOf(samples, window(0, 120_000), 60)).toEqual({ valueSeconds: '360', max: '4', last: '4' });
    expect(heldOf(samples, window(180_000, 240_000), 60)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { firstDue, lastDue } from './cron.ts';

const at = (text: string): Date => new Date(`2024-${text}Z`);

describe('due times of a cron line', () => {
  it.each([
    ['5 * * * *', '01-31T23:59', '02-01T00:05'],
    ['5 * * * *', '02-01T00:05', '02-01T01:05'],
    ['* * * * *', '02-01T00:05:30', '02-01T00:06'],
    ['*/15 * * * *', '02-01T00:44', '02-01T00:45'],
    ['23 */6 * * *', '02-01T06:24', '02-01T12:23'],
    ['20 3 * * *', '02-28T03:20', '02-29T03:20'],
    ['0 0 1 * *', '02-02T00:00', '03-01T00:00'],
    ['0 9 * * 1-5', '02-03T00:00', '02-05T09:00'],
    ['0 9 * * 7', '02-01T00:00', '02-04T09:00'],
    ['0 9 10 * 1', '02-06T00:00', '02-10T09:00'],
    ['1,31 4 * * *', '02-01T04:01', '02-01T04:31'],
  ])('%s after %s: %s', (cron, after, due) => {
    expect(firstDue(cron, at(after), at('12-31T00:00'))).toEqual(at(due));
  });

  it('exclude times after the end, which is included', () => {
    expect(firstDue('5 * * * *', at('02-01T00:00'), at('02-01T00:05'))).toEqual(at('02-01T00:05'));
    expect(firstDue('5 * * * *', at('02-01T00:00'), at('02-01T00:04'))).toBeUndefined();
    expect(lastDue('*/5 * * * *', at('02-01T00:00'), at('02-01T00:59'))).toEqual(at('02-01T00:55'));
    expect(lastDue('20 3 * * *', at('02-01T04:00'), at('02-01T05:00'))).toBeUndefined();
  });

  it.each(['', '* * * *', '60 * * * *', 'a * * * *', '5-1 * * * *', '*/0 * * * *', '* * 0 * *'])(
    'reject %j',
    (cron) => {
      expect(() => firstDue(cron, at('02-01T00:00'), at('02-02T00:00'))).toThrow(/cron line/);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { isStart, nextMidnight, targetOf } from './rules.ts';

const at = (text: string): Date => new Date(text);
const zone = 'Asia/Taipei';

describe('T-SANDBOX: the target of a sandbox’s clock', () => {
  it.each([
    [{ months: 1 }, '2024-01-31T01:00:00Z', '2024-02-29T01:00:00Z'],
    [{ months: 12 }, '2024-02-29T01:00:00Z', '2025-02-28T01:00:00Z'],
    // The day is in the time zone, where it is already March.
    [{ months: 1 }, '2024-02-29T20:00:00Z', '2024-03-31T20:00:00Z'],
    [{ days: 1 }, '2024-02-28T20:00:00Z', '2024-02-29T20:00:00Z'],
    [{ to: at('2024-02-01T00:00:01Z') }, '2024-02-01T00:00:00Z', '2024-02-01T00:00:01Z'],
  ])('%j from %s', (wanted, from, to) => {
    expect(targetOf(at(from), wanted, zone)).toEqual(at(to));
  });

  it.each([
    [{}, 'one'],
    [{ days: 1, months: 1 }, 'one'],
    [{ to: at('2024-02-01T00:00:00Z') }, 'back'],
    [{ to: at('2024-01-01T00:00:00Z') }, 'back'],
    [{ to: at('2026-02-01T00:00:01Z') }, 'far'],
  ])('rejects %j', (wanted, issue) => {
    expect(targetOf(at('2024-02-01T00:00:00Z'), wanted, zone)).toBe(issue);
  });

  it('keeps the time of day across clock changes', () => {
    expect(targetOf(at('2024-03-30T11:00:00Z'), { days: 1 }, 'Europe/Berlin')).toEqual(
      at('2024-03-31T11:00:00Z'),
    );
    expect(nextMidnight(at('2024-03-31T11:00:00Z'), 'Europe/Berlin')).toEqual(at('2024-03-31T22:00:00Z'));
  });

  it('starts from 2020, and not too far in the future', () => {
    const now = at('2026-11-27T00:00:00Z');
    expect(isStart(at('2019-12-31T23:59:59Z'), now)).toBe(false);
    expect(isStart(at('2020-01-01T00:00:00Z'), now)).toBe(true);
    expect(isStart(at('2031-11-01T00:00:00Z'), now)).toBe(true);
    expect(isStart(at('2032-01-01T00:00:00Z'), now)).toBe(false);
  });
});

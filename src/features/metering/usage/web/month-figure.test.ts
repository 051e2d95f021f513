// The events of a month or a day, as opened by the figures of usage statistics.
import { expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { monthFigure } from './month-figure.ts';

const sub = (letter: string) => `sub_${letter.repeat(26)}` as Id<'sub'>;
const november = '2026-11' as BillingMonth;
const metered = ['a', 'b', 'c'].map((letter) => ({ id: sub(letter) }));

it('R-USE-01 a month and a day extend from midnight to midnight in the time zone', () => {
  expect(monthFigure(november, 'Asia/Taipei', metered, [])).toEqual({
    among: [sub('a'), sub('b'), sub('c')],
    start: new Date('2026-10-31T16:00:00Z'),
    end: new Date('2026-11-30T16:00:00Z'),
  });
  expect(monthFigure('2026-11-30' as LocalDay, 'Asia/Taipei', metered, [])).toMatchObject({
    start: new Date('2026-11-29T16:00:00Z'),
    end: new Date('2026-11-30T16:00:00Z'),
  });
});

it('services with usage come first, sorted by share; a fee alone is not usage', () => {
  const services = [
    { subscriptionId: sub('a'), quantity: '0' },
    { subscriptionId: sub('c'), quantity: '48' },
    { subscriptionId: sub('b'), quantity: '0.5' },
    { subscriptionId: sub('d'), quantity: '7' },
  ];
  expect(monthFigure(november, 'Asia/Taipei', metered, services).among).toEqual([
    sub('c'),
    sub('b'),
    sub('a'),
  ]);
});

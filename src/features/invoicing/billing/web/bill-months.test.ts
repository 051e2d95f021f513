// Which month the bills screen shows.
import { expect, test } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from '../contract.ts';
import { chooseMonth, monthsToChoose } from './bill-months.ts';

const month = (text: string) => text as BillingMonth;
// Only the month and the kind matter here.
const bill = (text: string, kind: Bill['kind'] = 'month') => ({ month: month(text), kind }) as Bill;
const running = month('2026-11');

test('R-BILL-02: by default the running month is shown; an issued month shows its bills, one per currency', () => {
  const bills = [bill('2026-10'), bill('2026-10'), bill('2026-09')];
  expect(chooseMonth(undefined, running, bills)).toEqual({ kind: 'running', bills: [] });
  expect(chooseMonth(month('2026-10'), running, bills)).toEqual({
    kind: 'issued',
    month: '2026-10',
    bills: [bill('2026-10'), bill('2026-10')],
  });
});

test('R-BILL-02: the running month is live until it has a bill; a month without a bill says so', () => {
  expect(chooseMonth(running, running, [])).toEqual({ kind: 'running', bills: [] });
  expect(chooseMonth(running, running, [bill('2026-11')]).kind).toBe('issued');
  expect(chooseMonth(month('2024-01'), running, [bill('2026-10')])).toEqual({
    kind: 'none',
    month: '2024-01',
  });
});

test('R-BILL-02: each month is offered once, latest first, including the requested one', () => {
  expect(
    monthsToChoose(month('2024-01'), running, [bill('2026-09'), bill('2026-10'), bill('2026-10')]),
  ).toEqual(['2026-10', '2026-09', '2024-01']);
  expect(monthsToChoose(running, running, [])).toEqual([]);
});

test('a one-off bill is shown beside the running month and does not end it', () => {
  const oneOff = bill('2026-11', 'one_off');
  for (const wanted of [undefined, running])
    expect(chooseMonth(wanted, running, [oneOff, bill('2026-10')])).toEqual({
      kind: 'running',
      bills: [oneOff],
    });
  expect(monthsToChoose(undefined, running, [oneOff, bill('2026-10')])).toEqual(['2026-10']);
  // Once the month has its own bill, both are of that month.
  expect(chooseMonth(running, running, [oneOff, bill('2026-11')])).toEqual({
    kind: 'issued',
    month: '2026-11',
    bills: [oneOff, bill('2026-11')],
  });
});

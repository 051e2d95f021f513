// Which month the bills screen shows.
import { expect, test } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from '../contract.ts';
import { chooseMonth, monthsToChoose } from './bill-months.ts';

const month = (text: string) => text as BillingMonth;
// Only the month matters here.
const bill = (text: string) => ({ month: month(text) }) as Bill;
const running = month('2026-11');

test('R-BILL-02: without a wish the running month is shown; an issued month shows its bills, one for each currency', () => {
  const bills = [bill('2026-10'), bill('2026-10'), bill('2026-09')];
  expect(chooseMonth(undefined, running, bills)).toEqual({ kind: 'running' });
  expect(chooseMonth(month('2026-10'), running, bills)).toEqual({
    kind: 'issued',
    month: '2026-10',
    bills: [bill('2026-10'), bill('2026-10')],
  });
});

test('R-BILL-02: the running month by name is live until it has a bill; a month without a bill says so', () => {
  expect(chooseMonth(running, running, [])).toEqual({ kind: 'running' });
  expect(chooseMonth(running, running, [bill('2026-11')]).kind).toBe('issued');
  expect(chooseMonth(month('2024-01'), running, [bill('2026-10')])).toEqual({
    kind: 'none',
    month: '2024-01',
  });
});

test('R-BILL-02: months to choose stand once each, the latest first, the wanted one among them', () => {
  expect(
    monthsToChoose(month('2024-01'), running, [bill('2026-09'), bill('2026-10'), bill('2026-10')]),
  ).toEqual(['2026-10', '2026-09', '2024-01']);
  expect(monthsToChoose(running, running, [])).toEqual([]);
});

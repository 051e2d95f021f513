// The usage page's address: every view is a link, and invalid values in it count as missing.
import { describe, expect, test } from 'vitest';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { daysUpTo, readView } from './usage-view.ts';

const november = '2026-11' as BillingMonth;
const read = (search: string) => readView(new URLSearchParams(search), november, '2026-11-20' as LocalDay);

describe('R-USE-01: the view in the address', () => {
  test('is the newest month with usage up to today by default', () => {
    expect(read('')).toEqual({
      month: '2026-11',
      range: { from: '2026-11-01', to: '2026-11-20' },
      subscriptionId: undefined,
      figure: undefined,
    });
  });

  test('shows a past month completely; an own range is kept', () => {
    expect(read('month=2024-09').range).toEqual({ from: '2024-09-01', to: '2024-09-30' });
    expect(read('month=2024-09&from=2024-08-15&to=2024-09-02')).toMatchObject({
      month: '2024-09',
      range: { from: '2024-08-15', to: '2024-09-02' },
    });
  });

  test('ignores days and months that do not exist', () => {
    expect(read('month=2026-13&from=2026-02-30&to=2026-03-01&service=x')).toEqual(read(''));
  });
});

test('shows the whole month on its last day', () => {
  expect(daysUpTo(november, '2026-11-30' as LocalDay)).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(daysUpTo(november, '2026-11-01' as LocalDay)).toEqual({ from: '2026-11-01', to: '2026-11-01' });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortFacts, unbreakablePieces } from './unbreakable-pieces.ts';

const whole = (text: string): string[] =>
  unbreakablePieces(text)
    .filter((one) => one.isWhole)
    .map((one) => one.piece);

describe('parts of a sentence that stay on one line', () => {
  it.each([
    [
      '較上月 -NT$22（-0.5%）。主要變動：用量與數量 -NT$21（以資料庫為主）和稅額 -NT$1。',
      ['-NT$22', '-0.5%', '-NT$21', '-NT$1'],
    ],
    ['Computed live from usage up to Nov 23, 2026, 06:53. No bill is issued yet.', ['Nov 23, 2026, 06:53']],
    ['即時計算至 2026年11月23日 06:53 的用量', ['2026年11月23日 06:53']],
    ['127.0.0.1 · 2026-11-23 06:53', ['2026-11-23 06:53']],
    ['Bill B-202610-000001 waits for payment', ['B-202610-000001']],
    ['以目前速度，預計 2026年11月24日用完', ['2026年11月24日']],
    ['2026年10月的帳單，12月1日起算', ['2026年10月', '12月1日']],
    [
      'The month can be closed from Dec 1, 2026, costs of Nov 2026 and May 3.',
      ['Dec 1, 2026', 'Nov 2026', 'May 3'],
    ],
    ['Members may see 12 of them; Nova 2026', []],
    ['Two-factor sign-in is off', ['Two-factor', 'sign-in']],
    ['Choose an S3-compatible or well-understood e-invoice.', ['S3-compatible', 'e-invoice.']],
    ['https://hooks.customer.example/a-very-long-address-1', []],
    ['', []],
  ])('%s', (text, expected) => expect(whole(text)).toEqual(expected));

  it('loses and adds nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          unbreakablePieces(text)
            .map((one) => one.piece)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('facts with dots between them', () => {
  it.each([
    ['運算 · 月費 NT$2,400 · 2026年12月1日重新計算', ['運算', '月費 NT$2,400', '2026年12月1日重新計算']],
    [
      '127.0.0.1 · Last used just now · Signed in Nov 29, 2026, 21:24',
      ['127.0.0.1', 'Last used just now', 'Signed in Nov 29, 2026, 21:24'],
    ],
    ['One fact', ['One fact']],
    ['Sign-in from a new device: Chrome · Linux (127.0.0.1).', []],
    ['您的帳號從新的裝置登入：Chrome · Linux（127.0.0.1）。', []],
  ])('%s', (text, facts) => {
    expect(shortFacts(text)).toEqual(facts);
  });
});

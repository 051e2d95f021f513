// A printed credit note names its bill, the amount taken from each line, where the amount went, and that it
// is not a bill.
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentLanguage } from '#kernel/language.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { createTranslator } from '#kernel/translate.ts';
import { makePdfRenderer } from '#platform/server/pdf/pdf.ts';
import { pdfPages } from '#tests/support/pdf.ts';
import type { CreditedLine, CreditNote } from '../contract.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';
import { creditDocument, type CreditPaper, type Translate } from './credit-document.ts';

const renderer = makePdfRenderer();
afterAll(() => renderer.close());
const translate = createTranslator({ zhTW, enUS });
const translateTo =
  (language: ContentLanguage): Translate =>
  (key, params) =>
    translate(language, key, params);

function paper(
  changes: Partial<CreditNote> = {},
  language: ContentLanguage = 'zhTW',
  count = 1,
  currency: Currency = 'TWD',
): CreditPaper {
  const amount = (minor: bigint) => money(minor, currency);
  const line = (index: number): CreditedLine => ({
    lineId: String(index + 1),
    kind: index === 0 ? 'usage' : 'adjustment',
    serviceName: `物件儲存 ${index + 1}`,
    ...(index > 0 && { forMonth: '2024-08' as BillingMonth }),
    net: amount(730n),
    tax: amount(37n),
    total: amount(767n),
  });
  return {
    note: {
      id: 'crn_1' as Id<'crn'>,
      number: 'C-202410-000007',
      billId: 'bil_1' as Id<'bil'>,
      billNumber: 'B-202409-000042',
      organizationId: 'org_1' as Id<'org'>,
      organization: '台灣雲端',
      month: '2024-09' as BillingMonth,
      issuedAt: new Date('2024-10-31T16:30:00Z'),
      reason: '九月十二日服務中斷',
      currency,
      net: amount(730n),
      tax: amount(37n),
      total: amount(767n),
      toDue: amount(500n),
      toBalance: amount(267n),
      ...changes,
    },
    lines: Array.from({ length: count }, (_, index) => line(index)),
    buyer: {
      name: '台灣雲端科技股份有限公司',
      taxId: '12345675',
      address: '台北市信義區市府路 45 號',
      email: '',
      purchaseOrder: 'PO-77',
    },
    seller: { name: '晴空股份有限公司', taxId: '22099131', address: '', email: '' },
    brand: '晴空 Skytally',
    language,
    timeZone: 'Asia/Taipei',
  };
}
const pages = async (one: CreditPaper): Promise<string[]> =>
  pdfPages(await renderer.render(creditDocument(one, translateTo(one.language))));

describe('R-BILL-04: the credit note as PDF', () => {
  test('in Chinese', async () => {
    const [text, ...more] = await pages(paper());
    expect(more).toEqual([]);
    for (const words of [
      '折讓單 C-202410-000007',
      '折讓總額 NT$767',
      '未稅 NT$730＋稅額 NT$37',
      '原帳單號碼 B-202409-000042',
      '已抵減帳單應付金額 NT$500，並轉入帳戶餘額 NT$267。',
      '買方 台灣雲端科技股份有限公司 統一編號 12345675',
      '賣方 晴空股份有限公司 統一編號 22099131',
      '帳單月份 2024年9月',
      '開立日期 2024年11月1日',
      '採購單號 PO-77',
      '物件儲存 1 用量 NT$730 NT$37 NT$767',
      '折讓原因 九月十二日服務中斷',
      '本文件是折讓單，不是法定的折讓證明單',
      '第 1 頁，共 1 頁',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/credits\.|\{\{|undefined|NaN/);
  });

  test('in English, in another currency; with a single settlement', async () => {
    const usd = (minor: bigint) => money(minor, 'USD');
    const [text] = await pages(
      paper(
        { toDue: usd(0n), toBalance: usd(767n), net: usd(730n), tax: usd(37n), total: usd(767n) },
        'enUS',
        1,
        'USD',
      ),
    );
    for (const words of [
      'Credit note C-202410-000007',
      '$7.30 net + $0.37 tax',
      'For bill B-202409-000042',
      '$7.67 was added to the account balance.',
      'not the statutory allowance certificate',
      'Page 1 of 1',
    ])
      expect(text).toContain(words);
    expect((await pages(paper({ toDue: money(767n, 'TWD'), toBalance: money(0n, 'TWD') })))[0]).toContain(
      '已抵減帳單應付金額 NT$767。',
    );
  });

  test('with many lines repeats the heading; the same note gives the same bytes', async () => {
    const one = paper({}, 'zhTW', 60);
    const all = await pages(one);
    expect(all.length).toBeGreaterThan(1);
    for (const page of all) expect(page).toContain('項目 未稅金額 稅額 含稅金額');
    expect(all.join(' ')).toContain('物件儲存 60 2024年8月的調整');
    const render = () => renderer.render(creditDocument(one, translateTo('zhTW')));
    expect(Buffer.from(await render()).equals(Buffer.from(await render()))).toBe(true);
  });
});

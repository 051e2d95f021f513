// A printed bill contains everything that its reader needs, exactly, in their language.
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentLanguage } from '#kernel/language.ts';
import type { Id } from '#kernel/ids.ts';
import { money, sumMoney, type Currency } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { createTranslator } from '#kernel/translate.ts';
import { makePdfRenderer } from '#platform/server/pdf/pdf.ts';
import type { PdfNode } from '#platform/server/pdf/pdf-document.ts';
import { pdfPages } from '#tests/support/pdf.ts';
import { enUS as ratingEn } from '#features/selling/rating/locales/enUS.ts';
import { zhTW as ratingZh } from '#features/selling/rating/locales/zhTW.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';
import { pricedBy } from '../rules-priced-by.ts';
import { billDocument, type BillPaper } from './bill-document.ts';
import {
  changeSentence,
  quantityWords,
  stepSentences,
  unitPriceWords,
  type PricedLine,
  type Translate,
} from './bill-words.ts';

const renderer = makePdfRenderer();
afterAll(() => renderer.close());

const translate = createTranslator({ zhTW: { ...ratingZh, ...zhTW }, enUS: { ...ratingEn, ...enUS } });
const translateTo =
  (language: ContentLanguage): Translate =>
  (key, params) =>
    translate(language, key, params);

function line(changes: Partial<PricedLine> & { minor?: bigint; currency?: Currency } = {}): PricedLine {
  const { minor = 1280n, currency = 'TWD', ...rest } = changes;
  const by = pricedBy({ kind: 'usage', unitPrice: '1.2', ...rest }, rest.steps ?? []);
  return {
    ...(by && { pricedBy: by }),
    id: '1',
    kind: 'usage',
    subscriptionId: 'sub_1' as Id<'sub'>,
    serviceName: '物件儲存',
    quantity: '820',
    unit: 'GB',
    unitPrice: '1.2',
    exact: '1280',
    total: money(minor, currency),
    steps: [],
    ...rest,
  };
}

function paper(
  lines: readonly PricedLine[],
  changes: Partial<BillPaper['bill']> = {},
  language: ContentLanguage = 'zhTW',
): BillPaper {
  const currency = lines[0]?.total.currency ?? 'TWD';
  const net = sumMoney(
    lines.map((each) => each.total),
    currency,
  );
  const tax = money((net.minor * 5n + 50n) / 100n, currency);
  const total = money(net.minor + tax.minor, currency);
  return {
    bill: {
      number: 'B-202610-000042',
      month: '2026-10' as BillingMonth,
      issuedAt: new Date('2026-11-03T16:30:00Z'),
      dueAt: new Date('2026-12-03T16:30:00Z'),
      currency,
      net,
      taxRate: '5',
      tax,
      total,
      buyer: {
        name: '台灣雲端科技股份有限公司',
        taxId: '12345675',
        address: '台北市信義區市府路 45 號',
        email: 'bills@example.com',
      },
      ...changes,
    },
    isVoid: false,
    prepaid: money(0n, currency),
    change: null,
    lines,
    seller: { name: '晴空股份有限公司', taxId: '22099131', address: '', email: '' },
    brand: '晴空 Skytally',
    language,
    layout: 2,
    timeZone: 'Asia/Taipei',
  };
}

/** Every text of a document. */
const wordsOf = (nodes: readonly PdfNode[]): string[] =>
  nodes.flatMap((node) =>
    node.kind === 'text' ? [node.text] : node.kind === 'box' ? wordsOf(node.children) : [],
  );
const pages = async (one: BillPaper): Promise<string[]> =>
  pdfPages(await renderer.render(billDocument(one, translateTo(one.language))));

describe('R-BILL-01, R-BILL-04: the bill as PDF', () => {
  const ofTerm = (
    kind: PricedLine['kind'],
    minor: bigint,
    term: NonNullable<PricedLine['term']>,
    more: Partial<PricedLine> = {},
  ): PricedLine =>
    line({
      kind,
      minor,
      term,
      id: term.id,
      subscriptionId: null,
      serviceName: '',
      unit: '',
      quantity: '1',
      unitPrice: null,
      exact: String(minor),
      ...more,
    });
  const named = (zhTW: string, enUS: string) => ({ zhTW, enUS });
  const withTerms = (language: ContentLanguage): BillPaper => ({
    ...paper(
      [
        line({ minor: 10_000n }),
        ofTerm(
          'one_off',
          2400n,
          { id: 'ooc_1', name: named('資料搬遷', 'Data migration') },
          {
            quantity: '3',
            unitPrice: '800',
          },
        ),
        ofTerm('discount', -1500n, {
          id: 'rdm_1',
          name: named('開幕優惠', 'Opening offer'),
          reduction: { kind: 'percent', percent: '20', maximum: money(1500n, 'TWD') },
        }),
        ofTerm('promotional_credit', -2000n, { id: 'cgr_1', name: named('迎新額度', 'Welcome credit') }),
      ],
      {},
      language,
    ),
    prepaid: money(5000n, 'TWD'),
  });
  test.each<[ContentLanguage, string[]]>([
    [
      'zhTW',
      [
        '資料搬遷',
        '開幕優惠',
        '-NT$1,500',
        '適用項目的 20%，每月最多 NT$1,500',
        '迎新額度',
        '已由預付額度支付 NT$5,000，尚需支付 NT$4,345',
      ],
    ],
    [
      'enUS',
      [
        'Data migration',
        'Opening offer',
        '20% of each line it applies to, at most NT$1,500 a month',
        'NT$5,000 paid by prepaid credit, NT$4,345 left to pay',
      ],
    ],
  ])('lists terms with their deductions, and payments by prepaid credit: %s', async (language, texts) => {
    const [found = ''] = await pages(withTerms(language));
    for (const text of texts) expect(found).toContain(text);
  });

  test('in Chinese has number, dates in the organization’s time zone, parties, lines, tax and total', async () => {
    const [text, ...more] = await pages(
      paper([
        line(),
        line({
          kind: 'base_fee',
          quantity: '0.516129032258',
          unit: 'month',
          unitPrice: '3000',
          minor: 1548n,
        }),
      ]),
    );
    expect(more).toEqual([]);
    for (const words of [
      '帳單 B-202610-000042',
      '晴空 Skytally',
      '帳單總額 NT$2,969',
      '未稅 NT$2,828＋稅額 NT$141',
      '付款期限 2026年12月4日',
      '付款參考 B-202610-000042',
      '請在備註填寫付款參考 B-202610-000042',
      '買方 台灣雲端科技股份有限公司 統一編號 12345675',
      '賣方 晴空股份有限公司 統一編號 22099131',
      '帳單月份 2026年10月',
      '服務期間 2026/10/01–10/31',
      '開立日期 2026年11月4日',
      '物件儲存 NT$2,828 用量 820 GB NT$1.2 NT$1,280',
      '基本費 16／31 天 NT$3,000／月 NT$1,548',
      '未稅金額 NT$2,828',
      '稅額（5%） NT$141',
      '含稅總額 NT$2,969',
      '第 1 頁，共 1 頁',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/billing\.|\{\{|undefined|NaN/);
  });

  test('in English, in another currency', async () => {
    const [text] = await pages(
      paper(
        [line({ currency: 'USD', minor: 3n, unitPrice: '0.0000004', quantity: '75000' })],
        { taxRate: '5' },
        'enUS',
      ),
    );
    for (const words of [
      'Bill B-202610-000042',
      'Bill total $0.03',
      '$0.03 net + $0.00 tax',
      'Due date Dec 4, 2026',
      'Payment reference B-202610-000042',
      'Business ID No. 12345675',
      'Oct 1 – 31, 2026',
      'Usage 75,000 GB $0.0000004 $0.03',
      'Total incl. tax $0.03',
      'Page 1 of 1',
    ])
      expect(text).toContain(words);
  });

  test.each([
    [
      'zhTW',
      '雲端主機 NT$530 主機 依條件計價 30 小時 NT$500 10 × NT$20 = NT$200（tpe） 20 × NT$15 = NT$300（hkg）',
      '流量 用量 20 GB NT$1.5 NT$30 物件儲存 用量',
    ],
    [
      'enUS',
      '雲端主機 NT$530 Hours By rate 30 hours NT$500 10 × NT$20 = NT$200 (tpe) 20 × NT$15 = NT$300 (hkg)',
      'Traffic Usage 20 GB NT$1.5 NT$30 物件儲存 Usage',
    ],
  ] as const)('groups the lines of a service with their sum, %s', async (language, matrix, rest) => {
    const step = (quantity: string, unitPrice: string, amount: string, region: string) =>
      ({ kind: 'unit', from: null, upTo: null, quantity, unitPrice, amount, when: { region } }) as const;
    const of = { serviceName: '雲端主機', subscriptionId: 'sub_2' as Id<'sub'> };
    const lines = [
      line({
        ...of,
        charge: { key: 'hours', name: { zhTW: '主機', enUS: 'Hours' } },
        quantity: '30',
        unit: language === 'zhTW' ? '小時' : 'hours',
        unitPrice: null,
        minor: 500n,
        steps: [step('10', '20', '200', 'tpe'), step('20', '15', '300', 'hkg')],
      }),
      line({
        ...of,
        charge: { key: 'traffic', name: { zhTW: '流量', enUS: 'Traffic' } },
        quantity: '20',
        unitPrice: '1.5',
        minor: 30n,
      }),
      line(),
    ];
    const one = paper(lines, {}, language);
    const found = wordsOf(billDocument(one, translateTo(language)).children).join(' ');
    const sorted = (words: string): string[] => words.split(' ').toSorted();
    const from = found.slice(found.indexOf('雲端主機'), found.indexOf('物件儲存'));
    expect(sorted(from)).toEqual(
      sorted(`${matrix} ${rest.replace(/ 物件儲存 .*/, '')} ${language === 'zhTW' ? '用量' : 'Usage'} `),
    );
    expect((await pages(one))[0]).toContain(rest);
    // A buyer without 統一編號 also sees the sum with tax.
    const [gross] = await pages(paper(lines, { buyer: { ...one.bill.buyer, taxId: '' } }, language));
    expect(gross).toContain('雲端主機 NT$530 NT$557');
    // Older bills keep the layout and the words with which they were issued.
    const [before] = await pages({ ...one, layout: 1 });
    expect(before).not.toContain('雲端主機 NT$530');
    expect(before).toContain(
      language === 'zhTW'
        ? '雲端主機：流量 用量 20 GB NT$1.5 NT$30'
        : '雲端主機: Traffic Usage 20 GB NT$1.5 NT$30',
    );
    expect(before).toContain(language === 'zhTW' ? '按級距計價' : 'By tier');
    expect(before).toContain(language === 'zhTW' ? '超過 0 小時：10' : 'Above 0 hours: 10');
  });

  test.each([
    ['zhTW', 1, undefined],
    ['zhTW', 2, '支援 基本費 2026/09/28–10/04 1 週 NT$70／週 NT$70 支援 基本費 2026/10/05–10/11 3／7 天'],
    [
      'enUS',
      2,
      'Support Base fee Sep 28 – Oct 4, 2026 1 week NT$70 / week NT$70 Support Base fee Oct 5 – 11, 2026',
    ],
  ] as const)('distinguishes the weeks of a month, %s in layout %i', async (language, layout, words) => {
    const week = (from: string, part: number, minor: bigint) =>
      line({
        kind: 'base_fee',
        charge: { key: 'support', name: { zhTW: '支援', enUS: 'Support' } },
        unit: 'week',
        quantity: '1',
        unitPrice: '70',
        minor,
        share: { part, whole: 7, unit: 'day', units: '1', from: from as LocalDay },
      });
    const weeks = [week('2026-09-28', 7, 70n), week('2026-10-05', 3, 30n)];
    const [text] = await pages({ ...paper(weeks, {}, language), layout });
    if (words) expect(text).toContain(words);
    else expect(text).not.toContain('2026/09/28');
  });

  test('is never called 發票: it says what it is not, and lists the statutory invoices that follow it', async () => {
    const [text] = await pages(paper([line()]));
    expect(text).toContain('本文件是帳單，不是統一發票。統一發票由賣方依法另行開立，另有號碼。');
    expect(
      text?.replace('本文件是帳單，不是統一發票。統一發票由賣方依法另行開立，另有號碼。', ''),
    ).not.toContain('發票');
    expect(
      Object.entries(zhTW).filter(
        ([key, words]) =>
          key !== 'billing.pdf_not_invoice' && key !== 'billing.einvoices' && words.includes('發票'),
      ),
    ).toEqual([]);
  });

  test('shows a buyer without 統一編號 line amounts with tax, which add up to the total', async () => {
    const lines = [line({ minor: 333n }), line({ minor: 333n }), line({ minor: 334n })];
    const buyer = { name: '個人買受人', taxId: '', address: '', email: '' };
    const [text] = await pages(paper(lines, { buyer }));
    expect(text).toContain('含稅金額');
    expect(
      [...(text ?? '').matchAll(/NT\$1\.2 NT\$33[34] NT\$(\d+)/g)].reduce(
        (sum, match) => sum + Number(match[1]),
        0,
      ),
    ).toBe(1050);
    expect((await pages(paper(lines)))[0]).not.toContain('含稅金額');
  });

  test('contains nothing that changes after issue; a void bill has another document, and a bill of zero asks for no payment', async () => {
    expect((await pages(paper([line()])))[0]).not.toMatch(/待付款|已付|逾期|折讓抵減/);
    const [voided] = await pages({ ...paper([line()]), isVoid: true });
    expect(voided).toContain('已作廢');
    expect(voided).not.toContain('付款參考');
    expect((await pages(paper([line({ minor: 0n })])))[0]).toContain('無須付款');
  });

  test('R-BILL-01: shows a zero-rated and an exempt buyer as such, to the dollar', async () => {
    const taxed = async (
      taxStatus: 'zero' | 'exempt',
      language: ContentLanguage,
    ): Promise<string | undefined> => {
      const lines = [line({ minor: 999n })];
      const nothing = { taxRate: '0', tax: money(0n, 'TWD'), total: money(999n, 'TWD') };
      return (
        await pages(
          paper(
            lines,
            {
              ...nothing,
              buyer: { name: '出口股份有限公司', taxId: '04595257', address: '', email: '', taxStatus },
            },
            language,
          ),
        )
      )[0];
    };
    expect(await taxed('zero', 'zhTW')).toContain('稅額（零稅率） NT$0 含稅總額 NT$999');
    expect(await taxed('exempt', 'zhTW')).toContain('稅額（免稅） NT$0');
    expect(await taxed('zero', 'enUS')).toContain('Tax (zero-rated) NT$0');
    expect(await taxed('exempt', 'enUS')).toContain('Tax (exempt) NT$0');
  });

  test('has selectable text in both languages', async () => {
    for (const language of ['zhTW', 'enUS'] as const) {
      const one = paper(
        [
          line({ serviceName: '物件儲存 Object Storage – 台北／高雄' }),
          line({ kind: 'base_fee', unit: 'month', unitPrice: '3000', quantity: '1' }),
        ],
        {},
        language,
      );
      const compact = (text: string): string => text.replaceAll(/\s+/g, '');
      const copied = compact((await pages(one)).join(''));
      for (const words of wordsOf(billDocument(one, translateTo(language)).children))
        expect(copied).toContain(compact(words.replace('{{page}}', '1').replace('{{pages}}', '1')));
    }
  });

  test('shows the buyer’s purchase order and reference', async () => {
    const buyer = {
      name: '個人買受人',
      taxId: '12345675',
      address: '',
      email: '',
      purchaseOrder: 'PO-2024/77',
      reference: '專案 A',
    };
    const [text] = await pages(paper([line()], { buyer }));
    for (const words of ['採購單號 PO-2024/77', '參考文字 專案 A']) expect(text).toContain(words);
    expect((await pages(paper([line()])))[0]).not.toContain('採購單號');
  });

  test('repeats the heading on each page for sixty lines, with each line once and the total at the end', async () => {
    const found = await pages(
      paper(
        Array.from({ length: 60 }, (_, index) =>
          line({
            id: String(index + 1),
            serviceName: `非常長的服務名稱，跨區域備援、異地備份與災難復原進階方案（第 ${index + 1} 項）`,
          }),
        ),
      ),
    );
    expect(found.length).toBeGreaterThan(2);
    for (const [index, text] of found.entries()) {
      expect(text).toContain(`第 ${index + 1} 頁，共 ${found.length} 頁`);
      expect(text).toContain('晴空 Skytally · B-202610-000042');
      if (text.includes('NT$1.2')) expect(text).toContain('項目 數量 單價 金額（未稅）');
    }
    const all = found.join(' ');
    for (let item = 1; item <= 60; item++)
      expect(all.match(new RegExp(`第 ?${item} ?項`, 'g'))).toHaveLength(1);
    expect(found.at(-1)).toContain('含稅總額 NT$80,640');
  });

  test('has the same bytes whenever it is requested', async () => {
    const draw = async (): Promise<Buffer> =>
      Buffer.from(await renderer.render(billDocument(paper([line()]), translateTo('zhTW'))));
    expect((await draw()).equals(await draw())).toBe(true);
  });
});

describe('the text of a line', () => {
  const translateZh = translateTo('zhTW');
  test.each<[Partial<PricedLine>, string, string]>([
    [
      { quantity: '123456789012345.000000000001', unitPrice: '0.0000004' },
      '123,456,789,012,345.000000000001 GB',
      'NT$0.0000004',
    ],
    [{ kind: 'base_fee', quantity: '1', unit: 'month', unitPrice: '3000' }, '1 個月', 'NT$3,000／月'],
    [
      { kind: 'base_fee', quantity: '0.032258064516', unit: 'month', unitPrice: '3000' },
      '1／31 天',
      'NT$3,000／月',
    ],
    [
      { kind: 'base_fee', quantity: '0.967741935484', unit: 'month', unitPrice: '0.5' },
      '30／31 天',
      'NT$0.5／月',
    ],
    [{ kind: 'minimum', quantity: '1', unit: 'month', unitPrice: null }, '—', '—'],
    [
      {
        unitPrice: null,
        steps: [{ kind: 'tier', from: '0', upTo: null, quantity: '820', unitPrice: '1', amount: '820' }],
      },
      '820 GB',
      '按級距計價',
    ],
    [
      {
        unitPrice: null,
        steps: [{ kind: 'package', from: null, upTo: null, quantity: '9', unitPrice: '100', amount: '900' }],
      },
      '820 GB',
      '按組計價',
    ],
    [
      {
        unitPrice: null,
        steps: [
          {
            kind: 'unit',
            from: null,
            upTo: null,
            quantity: '820',
            unitPrice: '1',
            amount: '820',
            when: { region: 'tpe' },
          },
        ],
      },
      '820 GB',
      '依條件計價',
    ],
  ])('%j: %s, %s', (changes, quantity, unitPrice) => {
    expect(quantityWords('2026-10' as BillingMonth, line(changes), translateZh)).toBe(quantity);
    expect(unitPriceWords(line(changes), translateZh, 'zhTW', 2)).toBe(unitPrice);
  });

  test('explains tiers, flat fees and packages step by step', () => {
    const steps: PricedLine['steps'] = [
      { kind: 'tier', from: '0', upTo: '1000', quantity: '1000', unitPrice: '0.5', amount: '500' },
      { kind: 'tier', from: '1000', upTo: null, quantity: '640', unitPrice: '0.2', amount: '128' },
      { kind: 'flat_fee', from: '1000', upTo: null, quantity: '1', unitPrice: '30', amount: '30' },
      { kind: 'package', from: null, upTo: null, quantity: '3', unitPrice: '100', amount: '300' },
    ];
    expect(stepSentences(line({ unitPrice: null, steps }), translateZh, 'zhTW', 2)).toEqual([
      '0–1,000 GB：1,000 × NT$0.5 = NT$500',
      '超過 1,000 GB：640 × NT$0.2 = NT$128',
      '本級固定費：NT$30',
      '3 組 × NT$100 = NT$300',
    ]);
    expect(stepSentences(line({ steps }), translateZh, 'zhTW', 2)).toEqual([]);
    expect(
      stepSentences(
        line({
          unitPrice: null,
          steps: [
            {
              kind: 'unit',
              from: null,
              upTo: null,
              quantity: '10',
              unitPrice: '2',
              amount: '20',
              when: { region: 'tpe' },
            },
            {
              kind: 'base',
              from: null,
              upTo: null,
              quantity: '1.5',
              unitPrice: '90',
              amount: '45',
              share: { part: 15, whole: 30, unit: 'day', units: '3' },
            },
          ],
        }),
        translateZh,
        'zhTW',
        2,
      ),
    ).toEqual(['10 × NT$2 = NT$20（tpe）', '15／30 天 × NT$90 = NT$45']);
    expect(
      stepSentences(
        line({
          kind: 'minimum',
          unitPrice: null,
          steps: [
            {
              kind: 'minimum',
              from: null,
              upTo: null,
              quantity: '0.5',
              unitPrice: '500',
              amount: '48.387096774193548387096774',
            },
          ],
        }),
        translateZh,
        'zhTW',
        2,
      ),
    ).toEqual(['每月最低消費：NT$500']);
  });

  test('R-BILL-02: explains the change of the bill in one sentence', () => {
    const change = {
      against: 'B-202609-000041',
      difference: money(486n, 'TWD'),
      percent: 8.2,
      direction: 'increase' as const,
      movers: [
        { serviceName: '物件儲存', difference: money(510n, 'TWD') },
        { serviceName: '資料庫', difference: money(-24n, 'TWD') },
      ],
    };
    expect(changeSentence(change, translateZh, 'zhTW')).toBe(
      '與上月帳單 B-202609-000041 相比 +NT$486（+8.2%），主因：物件儲存 +NT$510、資料庫 -NT$24。',
    );
    expect(changeSentence(change, translateTo('enUS'), 'enUS')).toBe(
      'Compared with bill B-202609-000041 for the month before: +NT$486 (+8.2%), mostly 物件儲存 +NT$510, 資料庫 -NT$24.',
    );
    expect(changeSentence({ ...change, percent: null, movers: [] }, translateZh, 'zhTW')).toBe(
      '與上月帳單 B-202609-000041 相比 +NT$486。',
    );
    expect(
      changeSentence({ ...change, difference: money(0n, 'TWD'), direction: 'flat' }, translateZh, 'zhTW'),
    ).toBe('總額與上月帳單 B-202609-000041 相同。');
  });
});

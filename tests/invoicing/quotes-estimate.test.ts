// The figures of a quote equal those of the later bills: accepted, used as expected, closed, compared to the
// cent.
import { describe, expect, it } from 'vitest';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { quotes, type QuoteDetail } from '#features/invoicing/quotes/contract.ts';
import type { Figures, QuoteContent } from '#features/invoicing/quotes/contract-content.ts';
import { identity } from '#features/access/identity/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  accept,
  admin,
  console,
  content,
  customer,
  key,
  machines,
  moveTo,
  named,
  sent,
  startQuoteConsole,
  storage,
  twd,
} from '../support/quotes.ts';

startQuoteConsole();

let events = 0;
async function use(subject: string, type: string, time: string, value: string): Promise<void> {
  const id = `e${++events}`;
  const event = { specversion: '1.0', id, source: '/s', type, subject, time, data: { value } };
  const answer = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify([event]),
    },
  );
  expect(answer).toMatchObject({ accepted: 1 });
}

const subscriptionOf = (quote: QuoteDetail, name: string): string =>
  quote.made.find((made) => made.kind === 'subscription' && made.name.enUS === name)?.id ?? '';
const figures = ({ net, tax, total }: Pick<Figures, 'net' | 'tax' | 'total'>) =>
  [net, tax, total].map(moneyText).join(' ');

/** Everything that a quote can contain. */
const everything = (): Partial<QuoteContent> => ({
  items: [
    { serviceId: storage.id, quantity: '3', usage: { usage: '1234.5' } },
    { serviceId: machines.id, quantities: { seats: '7' }, usage: { traffic: '17.3' } },
  ],
  oneOffs: [
    { name: named('導入', 'Onboarding'), quantity: '2.5', unitPrice: '333.33' },
    { name: named('佈線', 'Cabling'), unitPrice: '1200', serviceId: machines.id },
  ],
  discounts: [
    { name: named('年約', 'Annual'), percent: '12.5', maximum: twd(150), months: 2 },
    { name: named('首月', 'Welcome'), fixed: twd(77), serviceId: storage.id, months: null },
    { name: named('主機', 'Machines'), percent: '7', serviceId: machines.id, months: 12 },
  ],
  grants: [
    { name: named('開始', 'Start'), amount: twd(901), months: 3 },
    {
      name: named('每月', 'Monthly'),
      amount: twd(55),
      months: null,
      monthly: { rollover: true },
      usageOnly: true,
    },
    { name: named('短期', 'Short'), amount: twd(41), months: 2, monthly: { rollover: false } },
  ],
  minimumSpend: { amount: twd(5000), months: 2 },
  // The first is settled with each of the two months, the second one continues.
  commitments: [
    {
      name: named('主機承諾', 'Machines'),
      months: 6,
      period: 'month',
      amounts: [twd(400)],
      committedPercent: '85',
      overagePercent: '95',
      // Two services; of one of them the fee and the traffic, but not the seats.
      scope: {
        services: [machines.id, storage.id],
        charges: [
          { serviceId: machines.id, chargeKey: 'fee' },
          { serviceId: machines.id, chargeKey: 'traffic' },
        ],
        usageOnly: false,
      },
    },
    {
      name: named('年度承諾', 'Annual'),
      months: 12,
      period: 'year',
      amounts: [twd(900000)],
      committedPercent: '97.5',
    },
  ],
});

describe('T-QUOTE: the estimate of a quote', () => {
  it('equals the bills of the first and the following whole months, line by line, with every kind of term', async () => {
    await moveTo('2026-10-12T04:00:00Z');
    const { organizationId } = await customer();
    const { id, token, quote } = await sent(organizationId, everything());
    expect((await accept(token)).status).toBe(200);
    const made = await console.ok(quotes.getQuote, { quoteId: id }, { token: admin });
    const estimate = quote.versions[0]?.estimate;
    if (!estimate) throw new Error('no estimate');
    const bills: string[] = [];
    for (const [month, time, next] of [
      ['2026-10', '2026-10-20T00:00:00Z', '2026-11-05T00:00:00Z'],
      ['2026-11', '2026-11-20T00:00:00Z', '2026-12-05T00:00:00Z'],
    ] as const) {
      if (month === '2026-11') await moveTo('2026-11-20T01:00:00Z');
      else await moveTo('2026-10-20T01:00:00Z');
      await use(subscriptionOf(made, 'Storage'), 'stored', time, '1234.5');
      await use(subscriptionOf(made, 'Machines'), 'traffic', time, '17.3');
      await moveTo(next);
      await console.ok(billing.closeMonth, { month: month as BillingMonth }, { token: admin });
      const { items } = await console.ok(
        billing.adminListBills,
        { organizationId, month: month as BillingMonth },
        { token: admin },
      );
      const [bill] = items;
      expect(items).toHaveLength(1);
      if (!bill) throw new Error('no bill');
      const { lines, ...of } = await console.ok(billing.adminGetBill, { billId: bill.id }, { token: admin });
      bills.push(figures(of));
      const planned = month === '2026-10' ? estimate.first : estimate.full;
      expect(planned.lines.map(({ amount }) => moneyText(amount))).toEqual(
        lines.map(({ total }) => moneyText(total)),
      );
      expect(planned.month).toBe(month);
      const kinds = lines.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['committed_rate', 'minimum_spend']));
    }
    expect([estimate.first, estimate.full].map(figures)).toEqual(bills);
  });

  it('equals hand-computed figures: a partial first month, a whole one, and twelve months', async () => {
    await moveTo('2026-10-12T04:00:00Z');
    const { organizationId } = await customer();
    const { quote } = await sent(organizationId, {
      items: [{ serviceId: storage.id, usage: { usage: '900' } }],
      oneOffs: [{ name: named('導入', 'Onboarding'), unitPrice: '1000' }],
      discounts: [{ name: named('九折', 'Ten'), percent: '10', months: 12 }],
    });
    const estimate = quote.versions[0]?.estimate;
    // 20 of 31 days of NT$100 are 64.516…, rounded 65; with 900 and 1000 it is 1965, less 10 %: 196.5, rounded 197.
    expect(estimate && figures(estimate.first)).toBe('1768 88 1856');
    expect(estimate && figures(estimate.first.before)).toBe('1965 98 2063');
    expect(estimate && moneyText(estimate.oneOffs)).toBe('1000');
    // 100 + 900, less 10 %.
    expect(estimate && figures(estimate.full)).toBe('900 45 945');
    // 1768 + 11 × 900 net, 88 + 11 × 45 tax.
    expect(estimate && figures(estimate.contract)).toBe('11668 583 12251');
  });

  it('is the same in the panel, the link’s response, the preview, and lists', async () => {
    await moveTo('2026-10-12T04:00:00Z');
    const { organizationId } = await customer();
    const { token, quote, id } = await sent(organizationId, everything());
    const opened = await console.ok(quotes.openQuote, { token });
    const preview = await console.ok(
      quotes.previewQuote,
      { organizationId, currency: 'TWD', content: content(everything()) },
      { token: admin },
    );
    expect(opened.estimate).toEqual(quote.versions[0]?.estimate);
    expect(preview).toEqual(opened.estimate);
    const list = await console.ok(quotes.listQuotes, { organizationId }, { token: admin });
    expect(list.items.find((each) => each.id === id)?.total).toEqual(opened.estimate.contract.total);
  });

  it('includes the organization’s own price, a trial, and no tax where none applies', async () => {
    await moveTo('2026-10-12T04:00:00Z');
    const { organizationId } = await customer();
    await console.ok(
      identity.adminUpdateOrganization,
      { organizationId, taxStatus: 'zero' },
      { token: admin },
    );
    await console.ok(
      catalogue.addOverride,
      {
        serviceId: storage.id,
        organizationId,
        pricing: { model: 'per_unit', currency: 'TWD', baseFee: '62', unitPrice: '0.5' },
        reason: 'Agreed',
      },
      { token: admin },
    );
    const trial = await console.ok(
      catalogue.createService,
      {
        name: 'Tried',
        type: 'API',
        category: 'Own',
        trialDays: 10,
        pricing: { model: 'flat', currency: 'TWD', baseFee: '310' },
        meter: { eventType: 'tried', aggregation: 'sum', unit: 'x' },
      },
      { token: admin },
    );
    const { id, token, quote } = await sent(organizationId, {
      items: [{ serviceId: storage.id, usage: { usage: '101' } }, { serviceId: trial.id }],
    });
    const [version] = quote.versions;
    expect(version?.estimate.taxRate).toBe('0');
    expect(version?.items.map(({ trialDays }) => trialDays)).toEqual([0, 10]);
    expect(version?.items[0]?.charges.map(({ price }) => price).join()).toContain('0.5');
    // 20 of 31 days of NT$62 are 40, 101 × 0.5 is 50.5, rounded 51; after ten days of trial ten of NT$310 are 100.
    expect(version && figures(version.estimate.first)).toBe('191 0 191');
    await accept(token);
    const made = await console.ok(quotes.getQuote, { quoteId: id }, { token: admin });
    await moveTo('2026-10-20T01:00:00Z');
    await use(subscriptionOf(made, 'Storage'), 'stored', '2026-10-20T00:00:00Z', '101');
    await moveTo('2026-11-05T00:00:00Z');
    await console.ok(billing.closeMonth, { month: '2026-10' as BillingMonth }, { token: admin });
    const { items } = await console.ok(billing.adminListBills, { organizationId }, { token: admin });
    expect(items.map(figures)).toEqual(['191 0 191']);
  });
});

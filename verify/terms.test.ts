// Discounts, credit, one-off charges and minimum spends on real bills: closed, credited, voided, issued again
// and raced, with the independent checker after each step (R-BILL-05).
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { credits, type CreditAsk } from '../src/features/invoicing/credits/contract.ts';
import { discounts } from '../src/features/invoicing/discounts/contract.ts';
import { oneOffs } from '../src/features/invoicing/one-offs/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { runClose } from '../src/features/invoicing/billing/server/index.ts';
import { isLong } from '../tests/support/fault-rounds.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import {
  at,
  balanceOf,
  billOf,
  bills,
  close,
  credit,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  net,
  november,
  october,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../tests/support/corrections.ts';
import type { LocalDay } from '../src/kernel/shape.ts';
import { expectReportsMatch } from '../tests/support/finance-reports.ts';
import { expectJournalsMatch, mapAll, mapParts } from '../tests/support/journals.ts';
import { checkerOf } from './test-found.ts';

let client: pg.Client;
const december = '2024-12' as BillingMonth;

beforeAll(async () => {
  await startBilling();
  await mapAll(at.console, at.admin);
  client = await checkerOf(at.console);
});
afterEach(expectReportsToo);

/** The independent checker finds nothing. */
async function expectReportsToo(): Promise<void> {
  await expectVerified(client);
  await expectReportsMatch(at.console, at.admin, {
    from: '2024-01-01' as LocalDay,
    middle: '2024-10-06' as LocalDay,
    to: '2026-12-31' as LocalDay,
  });
  // Later entries of an exported month go to a supplement; all exports together equal the ledger.
  await mapParts(at.console, at.admin);
  await expectJournalsMatch(at.console, at.admin, [september, october, november, december]);
}

const asAdmin = () => ({ token: at.admin });
const name = (text: string) => ({ zhTW: text, enUS: text });
let made = 0;

async function give(one: Customer, terms: object): Promise<Id<'rdm'>> {
  const { id } = await at.console.ok(
    discounts.createDiscount,
    { name: name(`Discount ${++made}`), scope: null, ...terms } as never,
    asAdmin(),
  );
  const redemption = await at.console.ok(
    discounts.giveDiscount,
    { discountId: id, organizationId: one.organizationId },
    asAdmin(),
  );
  return redemption.id;
}
const percent = (value: string) => ({ kind: 'percent', percent: value });
const grant = (one: Customer, kind: 'paid' | 'promotional', amount: Money, more: object = {}) =>
  at.console.ok(
    creditgrants.giveGrant,
    { organizationId: one.organizationId, kind, name: name(`Credit ${++made}`), amount, ...more } as never,
    asAdmin(),
  );
const charge = (one: Customer, unitPrice: string, more: object = {}) =>
  at.console.ok(
    oneOffs.createOneOff,
    {
      organizationId: one.organizationId,
      name: name(`One-off ${++made}`),
      kind: 'charge',
      unitPrice,
      currency: 'TWD',
      ...more,
    } as never,
    asAdmin(),
  );
const shown = (bill: BillDetail): string =>
  `${bill.lines.map(({ total }) => moneyText(total)).join(' ')} = ${moneyText(bill.net)} + ${moneyText(bill.tax)}; paid ${moneyText(bill.paid)}, due ${moneyText(bill.due)}`;
const left = async (one: Customer): Promise<string> =>
  (await at.console.ok(creditgrants.adminListGrants, { organizationId: one.organizationId }, asAdmin())).items
    .map(({ kind, left: rest }) => `${kind} ${moneyText(rest)}`)
    .toSorted()
    .join(', ');
/** The balances of all accounts that terms move, of one organization or of the platform. */
async function accounts(one: Customer | null): Promise<Record<string, string>> {
  const { rows } = await sql<{
    kind: string;
    minor: string;
  }>`select kind, balance_minor::text as minor from ledger_account
    where organization_id is not distinct from ${one?.organizationId ?? null}::text and balance_minor <> 0`.execute(
    db(),
  );
  return Object.fromEntries(rows.map(({ kind, minor }) => [kind, minor]));
}
const reissue = (bill: BillDetail) =>
  at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());
const voided = (bill: BillDetail) =>
  at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());

describe('T-TERMS: terms on monthly bills', () => {
  let twoMonths: Customer, once: Customer, credited: Customer, prepaid: Customer, promoted: Customer;
  let charged: Customer, minimum: Customer;

  beforeAll(async () => {
    twoMonths = await customer(fee('1000'));
    once = await customer(fee('1000'));
    credited = await customer(fee('1000'));
    prepaid = await customer(fee('1000'));
    promoted = await customer(fee('1000'));
    charged = await customer(fee('1000'));
    minimum = await customer(fee('1000'));
    await moveTo('2024-09-20T00:00:00Z');
    await give(twoMonths, { reduction: percent('20'), duration: { kind: 'months', months: 2 } });
    await give(once, { reduction: { kind: 'fixed', amount: twd(300) }, duration: { kind: 'once' } });
    await give(credited, { reduction: percent('20'), duration: { kind: 'forever' } });
    await topUp(prepaid, twd(5000));
    await grant(prepaid, 'paid', twd(700));
    await grant(promoted, 'promotional', twd(400), { expiresOn: '2024-10-15' });
    await charge(charged, '500');
    await charge(charged, '120', { kind: 'credit' });
    await at.console.ok(
      oneOffs.createMinimumSpend,
      { organizationId: minimum.organizationId, amount: twd(1500) } as never,
      asAdmin(),
    );
  });

  it('the running month shows the bill that the close will issue', async () => {
    const { bills: running } = await at.console.ok(billing.currentBill, {}, { token: prepaid.token });
    expect(running.map(({ total, prepaid: credit }) => [moneyText(total), moneyText(credit)])).toEqual([
      ['1050', '700'],
    ]);
    const { totals } = await at.console.ok(creditgrants.ownCredits, {}, { token: prepaid.token });
    expect(totals.map(({ paid, planned }) => [moneyText(paid), moneyText(planned.paid)])).toEqual([
      ['700', '700'],
    ]);
    const { bills: other } = await at.console.ok(billing.currentBill, {}, { token: charged.token });
    expect(other[0]?.lines.map(({ kind, total }) => [kind, moneyText(total)])).toEqual([
      ['base_fee', '1000'],
      ['one_off', '500'],
      ['one_off', '-120'],
    ]);
  });

  it('the first month uses all terms', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    expect(shown(await billOf(twoMonths))).toBe('1000 -200 = 800 + 40; paid 0, due 840');
    expect(shown(await billOf(once))).toBe('1000 -300 = 700 + 35; paid 0, due 735');
    expect(shown(await billOf(prepaid))).toBe('1000 = 1000 + 50; paid 700, due 350');
    expect(shown(await billOf(promoted))).toBe('1000 -400 = 600 + 30; paid 0, due 630');
    expect(shown(await billOf(charged))).toBe('1000 500 -120 = 1380 + 69; paid 0, due 1449');
    expect(shown(await billOf(minimum))).toBe('1000 500 = 1500 + 75; paid 0, due 1575');
    expect(await left(prepaid)).toBe('paid 0');
    expect(await left(promoted)).toBe('promotional 0');
    expect(await accounts(prepaid)).toEqual({ balance: '-4300', receivable: '350' });
    expect(await accounts(promoted)).toEqual({ receivable: '630' });
    // Granted once, used once; the discounts of three customers.
    expect(await accounts(null)).toMatchObject({ promotions: '400', discounts: '700' });
    const paid = await at.console.ok(payments.listPayments, {}, { token: prepaid.token });
    expect(paid.items.map(({ method, amount }) => [method, moneyText(amount)])).toContainEqual([
      'prepaid_credit',
      '700',
    ]);
  });

  it('each term explains what it deducted from which line', async () => {
    const bill = await billOf(twoMonths);
    const explained = await at.console.ok(
      billing.explainLine,
      { billId: bill.id, lineId: '2' },
      { token: twoMonths.token },
    );
    expect(explained).toMatchObject({
      priceVersionId: null,
      line: {
        kind: 'discount',
        subscriptionId: null,
        term: { reduction: { kind: 'percent', percent: '20' } },
      },
      shares: [{ amount: twd(200), line: { id: '1', total: twd(1000) } }],
    });
  });

  it('in the FOCUS file credits and discounts are rows of category Credit, and the rows add up to the bill', async () => {
    const { body } = await at.console.ok(
      billing.exportBills,
      { format: 'focus', month: september },
      { token: charged.token },
    );
    const csv = Buffer.from(body as Uint8Array).toString('utf8');
    const [head = [], ...rows] = csv
      .replace('\uFEFF', '')
      .trim()
      .split(/\r?\n/)
      .map((row) => row.split(',').map((cell) => cell.replace(/^"|"$/g, '')));
    const cells = (name: string) => rows.map((row) => row[head.indexOf(name)] ?? '');
    expect(cells('ChargeCategory')).toEqual(['Purchase', 'Purchase', 'Purchase', 'Tax']);
    expect(
      cells('SkuId')
        .slice(0, 3)
        .every((id) => /^(svc|ooc)_/.test(id)),
    ).toBe(true);
    expect(cells('BilledCost').reduce((sum, cost) => sum + Number(cost), 0)).toBe(1449);
    const discounted = await at.console.ok(
      billing.exportBills,
      { format: 'focus', month: september },
      { token: twoMonths.token },
    );
    expect(Buffer.from(discounted.body as Uint8Array).toString('utf8')).toMatch(/Credit.*,-200,/);
  });

  it('a credit note returns what was paid for a line, without the discount', async () => {
    const bill = await billOf(credited);
    expect(shown(bill)).toBe('1000 -200 = 800 + 40; paid 0, due 840');
    const whole = (minor: number): CreditAsk => ({
      kind: 'lines',
      lines: [{ lineId: '1', net: twd(minor) }],
    });
    expect((await credit(bill, whole(801))).envelope.code).toBe('credits.above_rest');
    await credit(bill, net(300));
    expect((await credit(bill, whole(501))).envelope.code).toBe('credits.above_rest');
    expect((await credit(bill, whole(500))).data.total).toEqual(twd(525));
    expect(shown(await billOf(credited))).toBe('1000 -200 = 800 + 40; paid 0, due 0');
  });

  it('a voided bill returns what it used, and its replacement uses it again', async () => {
    for (const one of [once, prepaid, promoted, charged]) {
      const bill = await billOf(one);
      const before = shown(bill);
      await reissue(bill);
      expect(shown(await billOf(one))).toBe(before);
    }
    // Without a replacement, it waits for the next bill.
    await voided(await billOf(prepaid));
    await voided(await billOf(promoted));
    await voided(await billOf(charged));
    await voided(await billOf(once));
    expect(await left(prepaid)).toBe('paid 700');
    expect(await left(promoted)).toBe('promotional 400');
    expect(await accounts(prepaid)).toEqual({ balance: '-4300', deferred_revenue: '-700' });
    expect(await accounts(promoted)).toEqual({ promotional_credit: '-400' });
    expect(await accounts(charged)).toEqual({});
  });

  it('the second month uses returned terms, but no expired ones', async () => {
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    expect(shown(await billOf(twoMonths, october))).toBe('1000 -200 = 800 + 40; paid 0, due 840');
    expect(shown(await billOf(once, october))).toBe('1000 -300 = 700 + 35; paid 0, due 735');
    expect(shown(await billOf(prepaid, october))).toBe('1000 = 1000 + 50; paid 700, due 350');
    expect(shown(await billOf(promoted, october))).toBe('1000 -400 = 600 + 30; paid 0, due 630');
    expect(shown(await billOf(charged, october))).toBe('1000 500 -120 = 1380 + 69; paid 0, due 1449');
    expect(shown(await billOf(minimum, october))).toBe('1000 500 = 1500 + 75; paid 0, due 1575');
  });

  it('the third month has no terms', async () => {
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    for (const one of [twoMonths, once, prepaid, promoted, charged])
      expect(shown(await billOf(one, november))).toBe('1000 = 1000 + 50; paid 0, due 1050');
    expect(shown(await billOf(credited, november))).toBe('1000 -200 = 800 + 40; paid 0, due 840');
  });
});

describe('T-TERMS: expiring and contested credit', () => {
  it('the rest expires with the close of its last month: promotional credit reverses its cost, paid credit becomes breakage', async () => {
    const small = await customer(fee('100'));
    await topUp(small, twd(1000));
    await grant(small, 'promotional', twd(300), { expiresOn: '2024-12-31' });
    await grant(small, 'paid', twd(500), { expiresOn: '2024-12-31' });
    const before = await accounts(null);
    await moveTo('2025-01-05T00:00:00Z');
    await close(december);
    // Subscribed since September; only December is closed for this customer, with the fee of December.
    expect(shown(await billOf(small, december))).toBe('100 -100 = 0 + 0; paid 0, due 0');
    expect(await left(small)).toBe('paid 0, promotional 0');
    const after = await accounts(null);
    expect(Number(after['promotions']) - Number(before['promotions'])).toBe(-200);
    expect(Number(after['breakage'] ?? 0) - Number(before['breakage'] ?? 0)).toBe(-500);
    expect(await accounts(small)).toEqual({ balance: '-500' });
  });

  it('twenty concurrent closes use it once; a concurrent withdrawal gets the rest or nothing', async () => {
    const raced = await customer(fee('1000'));
    await topUp(raced, twd(2000));
    const { id } = await grant(raced, 'paid', twd(1500));
    await moveTo('2025-02-05T00:00:00Z');
    const january = '2025-01' as BillingMonth;
    const withdraw = () =>
      at.console.call(creditgrants.withdrawGrant, { grantId: id, reason: 'left' }, asAdmin());
    await Promise.all([
      ...Array.from({ length: 20 }, () => at.console.call(billing.closeMonth, { month: january }, asAdmin())),
      withdraw(),
    ]);
    const bill = await billOf(raced, january);
    const used = bill.paid.minor;
    expect([0n, 1050n]).toContain(used);
    expect(await left(raced)).toBe('paid 0');
    expect(await balanceOf(raced)).toBe(2000n - used);
    expect((await bills(raced, january)).length).toBe(1);
  });
});

describe('T-TERMS: a one-off charge on a bill of its own', () => {
  it('is billed immediately, paid, voided and issued again, and does not replace the monthly bill', async () => {
    const one = await customer(fee('1000'));
    await charge(one, '250', { quantity: '2', billing: 'own_bill' });
    const february = '2025-02' as BillingMonth;
    const bill = await billOf(one, february);
    expect(bill).toMatchObject({ kind: 'one_off', change: null, state: 'open' });
    expect(shown(bill)).toBe('500 = 500 + 25; paid 0, due 525');
    await topUp(one, twd(525));
    await at.console.ok(payments.payBill, { billId: bill.id, method: 'balance' }, { token: one.token });
    expect((await billOf(one, february)).state).toBe('paid');
    await reissue(bill);
    const again = await billOf(one, february);
    expect(again).toMatchObject({ kind: 'one_off', total: twd(525), state: 'open' });
    expect(again.number).not.toBe(bill.number);
    // The payment of the first one went to the balance.
    expect(await balanceOf(one)).toBe(525n);
    await moveTo('2025-03-05T00:00:00Z');
    await close(february);
    const both = (await bills(one, february)).filter(({ state }) => state !== 'void');
    expect(both.map(({ kind, total }) => [kind, moneyText(total)]).toSorted()).toEqual([
      ['month', '1050'],
      ['one_off', '525'],
    ]);
    await moveTo('2025-04-05T00:00:00Z');
    await close('2025-03' as BillingMonth);
    // The comparison is with the monthly bill.
    const march = await billOf(one, '2025-03' as BillingMonth);
    expect(required(march.change, 'a change').previousTotal).toEqual(twd(1050));
  });
});

describe('T-TERMS: voiding a bill after a credit note had returned a part of its credit', () => {
  const april = '2025-04' as BillingMonth;
  let part: Customer, ordered: Customer;

  beforeAll(async () => {
    part = await customer(fee('1000'));
    ordered = await customer(fee('1000'));
    await topUp(part, twd(1050));
    await grant(part, 'paid', twd(1050), { startsOn: april });
    await topUp(ordered, twd(1050));
    // The second one ends first, so it is used first.
    await grant(ordered, 'paid', twd(500), { startsOn: april });
    await grant(ordered, 'paid', twd(550), { startsOn: april, expiresOn: '2025-05-31' });
    await moveTo('2025-05-05T00:00:00Z');
    await close(april);
  });

  it('the replacement uses the available credit, not what the first bill had used', async () => {
    const bill = await billOf(part, april);
    expect(shown(bill)).toBe('1000 = 1000 + 50; paid 1050, due 0');
    await credit(bill, net(200));
    expect(await balanceOf(part)).toBe(210n);
    await reissue(bill);
    // 210 of the 1050 went to the balance: the grant has 840 again.
    expect(shown(await billOf(part, april))).toBe('1000 = 1000 + 50; paid 840, due 210');
    expect(await left(part)).toBe('paid 0');
    expect(await balanceOf(part)).toBe(210n);
  });

  it('the grant that was used last is returned first', async () => {
    const bill = await billOf(ordered, april);
    expect(shown(bill)).toBe('1000 = 1000 + 50; paid 1050, due 0');
    await credit(bill, net(200));
    await voided(bill);
    expect(await left(ordered)).toBe('paid 340, paid 500');
  });
});

describe('T-TERMS: a discount whose shares cancel each other out', () => {
  it('is on no bill, is not used up by it, and reduces the next one', async () => {
    const one = await customer(fee('100'));
    const [may, june, july] = ['2025-05', '2025-06', '2025-07'] as [BillingMonth, BillingMonth, BillingMonth];
    await use(one, 'too-much', '100', '2025-05-02T00:00:00Z');
    await moveTo('2025-06-05T00:00:00Z');
    await close(may);
    await use(one, 'taken-back', '-100', '2025-05-03T00:00:00Z');
    await give(one, { reduction: percent('50'), duration: { kind: 'once' } });
    await moveTo('2025-07-05T00:00:00Z');
    await close(june);
    // Half of the fee and half of the refund.
    expect(shown(await billOf(one, june))).toBe('100 -100 = 0 + 0; paid 0, due 0');
    await moveTo('2025-08-05T00:00:00Z');
    await close(july);
    expect(shown(await billOf(one, july))).toBe('100 -50 = 50 + 3; paid 0, due 53');
  });
});

// `npm run faults` runs fifty each.
const atOnce = isLong ? 50 : 16;
describe(`T-TERMS: ${atOnce} closes and ${atOnce} top-ups at the same moment`, () => {
  it('use no grant twice, and buy none that the balance cannot pay', async () => {
    const august = '2025-08' as BillingMonth;
    await moveTo('2025-08-20T00:00:00Z');
    const raced = await Promise.all(Array.from({ length: isLong ? 10 : 4 }, () => customer(fee('1000'))));
    await at.console.ok(
      creditgrants.setCreditOffer,
      { isOn: true, services: null, usageOnly: false, months: null },
      asAdmin(),
    );
    for (const one of raced) {
      await topUp(one, twd(3000));
      await grant(one, 'promotional', twd(150));
      await grant(one, 'paid', twd(600));
      await at.console.ok(
        creditgrants.setTopUp,
        {
          currency: 'TWD',
          topUp: { threshold: twd(500), amount: twd(400), monthlyCap: twd(800) },
          warnBelow: null,
        } as never,
        { token: one.token },
      );
    }
    await moveTo('2025-09-05T00:00:00Z');
    const actor = { kind: 'system', name: 'test' } as const;
    await Promise.all([
      ...Array.from({ length: atOnce }, () => runClose(at.console.app, actor, august, 0)),
      ...Array.from({ length: atOnce }, (_, index) =>
        runFeatureJob(at.console.app, 'creditgrants.check', {
          organizationId: required(raced[index % raced.length], 'a customer').organizationId,
        }),
      ),
    ]);
    for (const one of raced) {
      const [bill, ...others] = await bills(one, august);
      expect(others).toEqual([]);
      // 1,000 less 150, and 43 of tax; the grants that existed at the time of issue paid of it.
      expect(required(bill, 'the bill').total).toEqual(twd(893));
      const { items } = await at.console.ok(
        creditgrants.adminListGrants,
        { organizationId: one.organizationId },
        asAdmin(),
      );
      const given = items
        .filter(({ kind }) => kind === 'paid')
        .reduce((sum, { amount }) => sum + amount.minor, 0n);
      const rest = items
        .filter(({ kind }) => kind === 'paid')
        .reduce((sum, { left: of }) => sum + of.minor, 0n);
      expect(given - rest).toBe(required(bill, 'the bill').paid.minor);
      // At most the cap of August, when it was set, and that of September.
      expect(given <= 600n + 2n * 800n).toBe(true);
      expect(await balanceOf(one)).toBe(3000n - given);
    }
  });
});

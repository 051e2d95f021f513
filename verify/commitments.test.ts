// Commitments on real bills: used at their rates, settled, ended early, credited, voided and issued again,
// with hand-computed figures and the independent checker after each step (R-BILL-05).
import type pg from 'pg';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { commitments, type Settlement } from '../src/features/invoicing/commitments/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { catalogue } from '../src/features/selling/catalogue/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import {
  at,
  billOf,
  bills,
  close,
  credit,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  november,
  october,
  september,
  startBilling,
  twd,
  use,
  yearInAdvance,
  type Customer,
} from '../tests/support/corrections.ts';
import { checkerOf } from './test-found.ts';

let client: pg.Client;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
});
afterEach(() => expectVerified(client));

const asAdmin = () => ({ token: at.admin });
type Agreed = {
  months?: number;
  period?: 'month' | 'quarter';
  committedPercent?: string;
  overagePercent?: string;
};
async function commit(one: Customer, amounts: readonly number[], agreed: Agreed = {}): Promise<Id<'cmt'>> {
  const { id } = await at.console.ok(
    commitments.makeCommitment,
    {
      organizationId: one.organizationId,
      name: { zhTW: '季度承諾', enUS: 'Quarterly commitment' },
      startsOn: september,
      months: 3,
      period: 'quarter',
      amounts: amounts.map((amount) => twd(amount)),
      ...agreed,
    },
    asAdmin(),
  );
  return id;
}
const shown = (bill: BillDetail): string =>
  `${bill.lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`).join(', ')} = ${moneyText(bill.net)} + ${moneyText(bill.tax)}`;
const periodOf = async (id: Id<'cmt'>, index = 0): Promise<string> => {
  const { periods } = await at.console.ok(commitments.adminGetCommitment, { commitmentId: id }, asAdmin());
  const { drawn, trueUp, target, state } = required(periods[index], 'the period');
  return `${state}: ${moneyText(drawn)} and ${moneyText(trueUp)} of ${moneyText(target)}`;
};
const breakage = async (): Promise<string> => {
  const { rows } = await sql<{
    minor: string;
  }>`select balance_minor::text as minor from ledger_account where kind = 'breakage' and currency = 'TWD'`.execute(
    db(),
  );
  return rows[0]?.minor ?? '0';
};
const reissue = (bill: BillDetail) =>
  at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'again' }, asAdmin());

/** A FOCUS file's cells, by column. */
function columnsOf(body: Uint8Array): (name: string) => string[] {
  const [head = [], ...rows] = Buffer.from(body)
    .toString('utf8')
    .replace('\uFEFF', '')
    .trim()
    .split(/\r?\n/)
    .map((row) => row.split(',').map((cell) => cell.replace(/^"|"$/g, '')));
  return (name) => rows.map((row) => row[head.indexOf(name)] ?? '');
}

describe('T-COMMIT: commitments on monthly bills', () => {
  let rated: Customer, short: Customer, promoted: Customer, idle: Customer, ended: Customer;
  let ofRated: Id<'cmt'>, ofShort: Id<'cmt'>, ofIdle: Id<'cmt'>, ofEnded: Id<'cmt'>;

  beforeAll(async () => {
    rated = await customer(fee('1000'));
    short = await customer(fee('1000'));
    promoted = await customer(fee('1000'));
    idle = await customer();
    ended = await customer(fee('1000'));
    await moveTo('2024-09-20T00:00:00Z');
    ofRated = await commit(rated, [2000], { committedPercent: '80', overagePercent: '90' });
    ofShort = await commit(short, [5000]);
    await commit(promoted, [4000]);
    ofIdle = await commit(idle, [500, 700, 900], { period: 'month' });
    ofEnded = await commit(ended, [6000]);
    await at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: promoted.organizationId,
        kind: 'promotional',
        name: { zhTW: '贈送', enUS: 'Gift' },
        amount: twd(1500),
        startsOn: november,
      } as never,
      asAdmin(),
    );
  });

  it('the running month shows the bill that the close will issue, and the used amount', async () => {
    const { bills: running } = await at.console.ok(billing.currentBill, {}, { token: rated.token });
    expect(running.map(({ lines, net }) => [lines.map(({ kind }) => kind).join(), moneyText(net)])).toEqual([
      ['base_fee,committed_rate', '800'],
    ]);
    const { items } = await at.console.ok(commitments.ownCommitments, {}, { token: rated.token });
    expect(items.map(({ current }) => current?.outlook && moneyText(current.outlook.used))).toEqual(['800']);
  });

  it('the first month uses the commitment at the committed rate', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await Promise.all([close(september), close(september)]);
    expect(shown(await billOf(rated))).toBe('base_fee 1000, committed_rate -200 = 800 + 40');
    expect(await periodOf(ofRated)).toBe('running: 800 and 0 of 2000');
    expect(shown(await billOf(short))).toBe('base_fee 1000 = 1000 + 50');
    expect(await periodOf(ofShort)).toBe('running: 1000 and 0 of 5000');
    // A commitment of months is settled each month, even for an organization without a subscription.
    expect(shown(await billOf(idle))).toBe('true_up 500 = 500 + 25');
    expect(await periodOf(ofIdle)).toBe('settled: 0 and 500 of 500');
  });

  it('a commitment cannot begin in a closed month', async () => {
    const { envelope } = await at.console.call(
      commitments.makeCommitment,
      {
        organizationId: short.organizationId,
        name: { zhTW: '太早', enUS: 'Too early' },
        startsOn: september,
        months: 12,
        period: 'month',
        amounts: [twd(100)],
      },
      asAdmin(),
    );
    expect([envelope.code, envelope.errors?.[0]]).toMatchObject([
      'platform.invalid',
      { field: 'startsOn', code: 'commitments.starts_too_early' },
    ]);
  });

  it('a line explains what the rate changed, and of which lines', async () => {
    const bill = await billOf(rated);
    const explained = await at.console.ok(
      billing.explainLine,
      { billId: bill.id, lineId: '2' },
      { token: rated.token },
    );
    expect(explained).toMatchObject({
      line: { kind: 'committed_rate', term: { id: ofRated, percent: '80' } },
      shares: [{ amount: twd(200), line: { id: '1' } }],
    });
  });

  it('a commitment that ends early is settled with the bill of its last month', async () => {
    const settled = (settlement: Settlement) =>
      at.console.call(
        commitments.endCommitment,
        { commitmentId: ofEnded, lastMonth: october, settlement, reason: '客戶縮編' },
        asAdmin(),
      );
    expect((await settled('prorated')).status).toBe(200);
    await use(rated, 'more', '800', '2024-10-04T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    // Two of three months of 6,000, less two fees.
    expect(shown(await billOf(ended, october))).toBe('base_fee 1000, true_up 2000 = 3000 + 150');
    expect(await periodOf(ofEnded)).toBe('settled: 2000 and 2000 of 4000');
  });

  it('usage beyond the commitment is charged at the overage rate', async () => {
    // 1,200 are left, 1,500 at 80 %; the other 300 at 90 %.
    expect(shown(await billOf(rated, october))).toBe(
      'base_fee 1000, usage 800, committed_rate -300, overage_rate -30 = 1470 + 74',
    );
    expect(await periodOf(ofRated)).toBe('running: 2000 and 0 of 2000');
  });

  it('the shortfall is charged with the last month, and booked as breakage', async () => {
    const before = Number(await breakage());
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    expect(shown(await billOf(rated, november))).toBe('base_fee 1000, overage_rate -100 = 900 + 45');
    expect(await periodOf(ofRated)).toBe('settled: 2000 and 0 of 2000');
    expect(shown(await billOf(short, november))).toBe('base_fee 1000, true_up 2000 = 3000 + 150');
    expect(await periodOf(ofShort)).toBe('settled: 3000 and 2000 of 5000');
    // Promotional credit pays the shortfall, too.
    expect(shown(await billOf(promoted, november))).toBe(
      'base_fee 1000, true_up 1000, promotional_credit -1500 = 500 + 25',
    );
    expect(shown(await billOf(idle, november))).toBe('true_up 900 = 900 + 45');
    expect(Number(await breakage()) - before).toBe(-3900);
    // After its term it has no effect.
    expect(shown(await billOf(ended, november))).toBe('base_fee 1000 = 1000 + 50');
  });

  it('the FOCUS file has the columns of commitments, and its rows add up to the bill', async () => {
    const { body } = await at.console.ok(
      billing.exportBills,
      { format: 'focus', month: november },
      { token: short.token },
    );
    const cells = columnsOf(body as Uint8Array);
    expect(cells('CommitmentDiscountId')).toEqual(['', ofShort, '']);
    expect(cells('CommitmentDiscountStatus')).toEqual(['', 'Unused', '']);
    expect(cells('CommitmentDiscountQuantity')).toEqual(['', '2000', '']);
    expect(cells('ChargeCategory')).toEqual(['Purchase', 'Usage', 'Tax']);
    expect(cells('BilledCost').reduce((sum, cost) => sum + Number(cost), 0)).toBe(3150);
  });

  it('credit notes and a void reverse the breakage that was charged', async () => {
    const bill = await billOf(promoted, november);
    const before = Number(await breakage());
    // Credit notes took 750 of the true-up of 1,000: at most 250 is left of it.
    expect(
      (await credit(bill, { kind: 'lines', lines: [{ lineId: '2', net: twd(251) }] })).envelope.code,
    ).toBe('credits.above_rest');
    await credit(bill, { kind: 'lines', lines: [{ lineId: '2', net: twd(100) }] });
    expect(Number(await breakage()) - before).toBe(100);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(Number(await breakage()) - before).toBe(1000);
  });

  it('reissuing a month of a settled period with more usage lowers its true-up', async () => {
    await use(short, 'late', '500', '2024-10-20T00:00:00Z');
    await reissue(await billOf(short, october));
    expect(shown(await billOf(short, october))).toBe('base_fee 1000, usage 500, true_up -500 = 1000 + 50');
    expect(await periodOf(ofShort)).toBe('settled: 3500 and 1500 of 5000');
    // Its usage names the commitment at 100 %, although no line of the bill does.
    const file = await at.console.ok(
      billing.exportBills,
      { format: 'focus', month: october },
      { token: short.token },
    );
    const cells = columnsOf(file.body as Uint8Array);
    expect(
      cells('CommitmentDiscountStatus').flatMap((status, index) =>
        status === 'Used'
          ? [
              [
                'CommitmentDiscountId',
                'CommitmentDiscountQuantity',
                'CommitmentDiscountUnit',
                'BilledCost',
                'PricingCategory',
              ].map((name) => cells(name)[index]),
            ]
          : [],
      ),
    ).toEqual([[ofShort, '500', 'TWD', '500', 'Committed']]);
    // Issued again without a change, it is the same.
    await reissue(await billOf(short, november));
    expect(shown(await billOf(short, november))).toBe('base_fee 1000, true_up 2000 = 3000 + 150');
  });

  it('a voided month returns what it used, and the bill that replaces it uses it again', async () => {
    const bill = await billOf(rated, october);
    await reissue(bill);
    expect(shown(await billOf(rated, october))).toBe(shown(bill));
    expect(await periodOf(ofRated)).toBe('settled: 2000 and 0 of 2000');
    expect((await bills(rated, october)).map(({ state }) => state)).toEqual(['void', 'open']);
  });
});

describe('T-COMMIT: a bill and an early end at the same moment', () => {
  it('give the same result in either order', async () => {
    const december = '2024-12' as BillingMonth;
    const raced = await Promise.all(Array.from({ length: 6 }, () => customer(fee('1000'))));
    const ids: Id<'cmt'>[] = [];
    for (const one of raced)
      ids.push(
        (
          await at.console.ok(
            commitments.makeCommitment,
            {
              organizationId: one.organizationId,
              name: { zhTW: '承諾', enUS: 'Commitment' },
              startsOn: december,
              months: 2,
              period: 'contract',
              amounts: [twd(9000)],
            },
            asAdmin(),
          )
        ).id,
      );
    await moveTo('2025-01-05T00:00:00Z');
    const end = (commitmentId: Id<'cmt'>) =>
      at.console.call(
        commitments.endCommitment,
        { commitmentId, lastMonth: december, settlement: 'period', reason: 'over' },
        asAdmin(),
      );
    const [, ...ends] = await Promise.all([close(december), ...ids.map(end)]);
    for (const [index, one] of raced.entries()) {
      const status = ends[index]?.status;
      expect([200, 400]).toContain(status);
      expect(shown(await billOf(one, december))).toBe(
        status === 200 ? 'base_fee 1000, true_up 8000 = 9000 + 450' : 'base_fee 1000 = 1000 + 50',
      );
    }
  });
});

describe('T-COMMIT: a commitment to single charges of a rate card', () => {
  it('is used by those charges only, and rejects a charge that does not exist', async () => {
    const one = await customer();
    await moveTo('2025-02-10T00:00:00Z');
    const name = (text: string) => ({ zhTW: text, enUS: text });
    const { id: serviceId } = await at.console.ok(
      catalogue.createService,
      {
        name: 'Machines',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        charges: [
          { key: 'cpu', name: name('CPU'), kind: 'recurring', model: 'flat', amount: '600' },
          { key: 'disk', name: name('Disk'), kind: 'recurring', model: 'flat', amount: '400' },
        ],
      } as never,
      asAdmin(),
    );
    const february = '2025-02' as BillingMonth;
    await at.console.ok(
      subscriptions.adminSubscribe,
      { organizationId: one.organizationId, serviceId, startedAt: new Date('2025-01-31T16:00:00Z') } as never,
      asAdmin(),
    );
    const ask = (chargeKey: string) =>
      at.console.call(
        commitments.makeCommitment,
        {
          organizationId: one.organizationId,
          name: name('Disks'),
          months: 1,
          period: 'month',
          amounts: [twd(500)],
          committedPercent: '50',
          scope: { services: null, charges: [{ serviceId, chargeKey }], usageOnly: false },
        },
        asAdmin(),
      );
    expect((await ask('gpu')).status).toBe(400);
    const made = await ask('disk');
    expect(made.data.scope).toMatchObject({
      services: [{ id: serviceId }],
      charges: [{ serviceId, chargeKey: 'disk', name: { enUS: 'Disk' } }],
    });
    await moveTo('2025-03-05T00:00:00Z');
    await close(february);
    expect(shown(await billOf(one, february))).toBe(
      'base_fee 600, base_fee 400, committed_rate -200, true_up 300 = 1100 + 55',
    );
    expect(await periodOf(made.data.id)).toBe('settled: 200 and 300 of 500');
  });
});

describe('T-COMMIT: a refund after the committed amount was used up', () => {
  it('returns what was drawn, and the bill that used it up stays right', async () => {
    const one = await customer();
    await moveTo('2025-04-10T00:00:00Z');
    const { id: serviceId } = await at.console.ok(
      catalogue.createService,
      {
        name: 'Years',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        charges: [yearInAdvance],
      },
      asAdmin(),
    );
    const { id: subscriptionId } = await at.console.ok(
      subscriptions.adminSubscribe,
      { organizationId: one.organizationId, serviceId, startedAt: new Date('2025-03-31T16:00:00Z') },
      asAdmin(),
    );
    const [april, may] = ['2025-04', '2025-05'] as BillingMonth[] as [BillingMonth, BillingMonth];
    const { id } = await at.console.ok(
      commitments.makeCommitment,
      {
        organizationId: one.organizationId,
        name: { zhTW: '承諾', enUS: 'Commitment' },
        startsOn: april,
        months: 3,
        period: 'quarter',
        amounts: [twd(100)],
        committedPercent: '90',
      },
      asAdmin(),
    );
    await moveTo('2025-05-05T00:00:00Z');
    await close(april);
    expect(shown(await billOf(one, april))).toBe('base_fee 12000, committed_rate -11 = 11989 + 599');
    expect(await periodOf(id)).toBe('running: 100 and 0 of 100');
    await at.console.ok(subscriptions.cancel, { subscriptionId, when: 'now' }, { token: one.token });
    await moveTo('2025-06-05T00:00:00Z');
    await close(may);
    expect(shown(await billOf(one, may))).toContain('credit -10882');
    expect(await periodOf(id)).toBe('running: 0 and 0 of 100');
  });
});

// R-BILL-01, R-BILL-05: the preview equals the bill, line by line; and no bill depends on when a job ran.
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { withoutGuard } from '#platform/server/files/csv.ts';
import { readSheet } from '#platform/server/files/spreadsheet-read.ts';
import { billing, type BillDetail, type BillLine } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions, type ChangePreview } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { pdfPages } from '../support/pdf.ts';
import { features } from '#app/features.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const console: TestConsole = await createTestConsole(new Date('2026-01-05T04:00:00Z'));
let admin = await setUp(console);
const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
let token: string;
let account: string;
let count = 0;

type Made = {
  pricing?: Pricing;
  trialDays?: number;
  billingCycle?: 'monthly' | 'yearly';
  proration?: 'day' | 'second';
};
const perCall = (baseFee: string, more: object = {}): Pricing => ({
  model: 'per_unit',
  currency: 'TWD',
  baseFee,
  unitPrice: '2',
  ...more,
});
async function plans(...made: Made[]): Promise<string[]> {
  const family = `family ${++count}`;
  const services = [];
  for (const [index, { pricing = perCall('310'), ...more }] of made.entries())
    services.push(
      await console.ok(
        catalogue.createService,
        {
          name: `Plan ${count}-${index}`,
          type: 'API',
          category: 'Platform',
          family,
          pricing,
          meter: { eventType: 'call', aggregation: 'sum', unit: 'requests' },
          ...more,
        },
        { token: admin },
      ),
    );
  return services.map((service) => service.id);
}
/** Moves the clock; sessions expire meanwhile, so all users sign in again. */
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, account);
}
const runJob = () =>
  features
    .find((each) => each.name === 'subscriptions')!
    .jobs[0]!.run(console.app, {} as never, new AbortController().signal);
const subscribe = async (serviceId = '', more: object = {}) =>
  (await console.ok(subscriptions.subscribe, { serviceId: serviceId as never, ...more }, { token })).id;
const send = (subject: string, value: string, time: string) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify([
        { specversion: '1.0', id: `e${++count}`, source: '/g', type: 'call', subject, time, data: { value } },
      ]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
async function close(month: string): Promise<BillDetail | undefined> {
  await console.ok(billing.closeMonth, { month: month as BillingMonth }, { token: admin });
  const { items } = await console.ok(billing.listBills, { month: month as BillingMonth }, { token });
  return items[0] && console.ok(billing.getBill, { billId: items[0].id }, { token });
}
const lineText = (line: BillLine): string =>
  `${line.kind} ${line.share ? `${line.share.part}/${line.share.whole} ` : ''}${line.kind === 'usage' ? `${line.quantity} ` : ''}${moneyText(line.total)}`;
const fees = (lines: readonly BillLine[]) =>
  lines.filter((line) => line.kind === 'base_fee' || line.kind === 'credit');
/** Compares the lines: kind, quantity, unit, price, exact amount, rounded amount, and the calculation. */
async function expectPreviewed(
  bill: BillDetail | undefined,
  preview: ChangePreview['thisBill'],
): Promise<void> {
  const lines = fees(bill?.lines ?? []);
  const explained = await Promise.all(
    lines.map((line) => console.ok(billing.explainLine, { billId: bill!.id, lineId: line.id }, { token })),
  );
  expect(
    lines.map(({ kind, serviceName, quantity, unit, unitPrice, exact, total }, index) => ({
      kind,
      serviceName,
      quantity,
      unit,
      unitPrice,
      exact,
      total,
      steps: explained[index]!.steps,
    })),
  ).toEqual(preview.lines);
  expect(bill?.month).toBe(preview.month);
}

beforeEach(async () => {
  // A moment later each time, because registrations are rate limited.
  console.clock.set(new Date(Date.parse('2026-01-05T04:00:00Z') + 1000 * ++count));
  account = `owner${count}@example.com`;
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  ({ token } = await registerUser(console, account, `Organization ${count}`));
});

describe('preview and charge are equal', () => {
  it.each<[string, Made, Made, string]>([
    ['an upgrade', {}, { pricing: perCall('620') }, '1'],
    ['more of the same', {}, {}, '2.5'],
    ['to a yearly plan', {}, { pricing: perCall('36500'), billingCycle: 'yearly' }, '1'],
    [
      'from a yearly plan',
      { pricing: perCall('3650'), billingCycle: 'yearly' },
      { pricing: perCall('999') },
      '1',
    ],
    [
      'between years',
      { pricing: perCall('3650'), billingCycle: 'yearly' },
      { pricing: perCall('7300'), billingCycle: 'yearly' },
      '3',
    ],
    ['by seconds', { proration: 'second' }, { proration: 'second', pricing: perCall('777') }, '1'],
  ])('%s', async (_what, from, to, quantity) => {
    const [a, b] = await plans(from, to);
    const subscriptionId = await subscribe(a);
    await moveTo('2026-01-14T09:13:27Z');
    const wanted = { subscriptionId, ...(quantity === '2.5' ? {} : { serviceId: b as never }), quantity };
    const preview = await console.ok(subscriptions.previewChange, wanted, { token });
    expect(preview).toMatchObject({
      direction: 'upgrade',
      isNow: true,
      at: new Date('2026-01-14T09:13:27Z'),
      thisBill: { month: '2026-01' },
      nextBill: { month: '2026-02' },
    });
    expect(preview.thisBill.lines.map((line) => line.kind)).toEqual(
      expect.arrayContaining(['base_fee', 'credit']),
    );
    await console.ok(subscriptions.change, { ...wanted, version: preview.version }, { token });
    const {
      bills: [current],
    } = await console.ok(billing.currentBill, {}, { token });
    expect(fees(current!.lines).map((line) => [line.kind, line.exact])).toEqual(
      preview.thisBill.lines.map((line) => [line.kind, line.exact]),
    );
    await moveTo('2026-03-04T00:00:00Z');
    await expectPreviewed(await close('2026-01'), preview.thisBill);
    const february = await close('2026-02');
    if (preview.nextBill.lines.length === 0) expect(february).toBeUndefined();
    else await expectPreviewed(february, preview.nextBill);
  });

  it('for ten minutes: the preview is charged to the last digit, however long it was open', async () => {
    const [a, b] = await plans({ pricing: perCall('98765') }, { pricing: perCall('1234567') });
    const subscriptionId = await subscribe(a);
    await moveTo('2026-01-14T09:13:27Z');
    const wanted = { subscriptionId, serviceId: b as never };
    const preview = await console.ok(subscriptions.previewChange, wanted, { token });
    const confirm = (more: object) =>
      console.call(subscriptions.change, { ...wanted, version: preview.version, ...more }, { token });
    console.clock.advance(600_000);
    for (const previewedAt of [
      new Date(preview.at.getTime() - 1),
      new Date(console.clock.now().getTime() + 1),
      new Date('2025-12-31T15:59:59Z'),
    ])
      expect((await confirm({ previewedAt })).envelope.code).toBe('subscriptions.preview_over');
    expect((await confirm({ previewedAt: preview.at })).status).toBe(200);
    const {
      bills: [current],
    } = await console.ok(billing.currentBill, {}, { token });
    expect(fees(current!.lines).map((line) => [line.kind, line.exact])).toEqual(
      preview.thisBill.lines.map((line) => [line.kind, line.exact]),
    );
    await moveTo('2026-02-04T00:00:00Z');
    await expectPreviewed(await close('2026-01'), preview.thisBill);
  });

  it('for a downgrade: this month is unchanged, and the next bill has the smaller plan', async () => {
    const [small, large] = await plans({}, { pricing: perCall('620') });
    const subscriptionId = await subscribe(large);
    const preview = await console.ok(
      subscriptions.previewChange,
      { subscriptionId, serviceId: small as never },
      { token },
    );
    expect(preview).toMatchObject({
      direction: 'downgrade',
      isNow: false,
      at: new Date('2026-01-31T16:00:00Z'),
      thisBill: { month: '2026-02' },
    });
    await console.ok(subscriptions.change, { subscriptionId, serviceId: small as never }, { token });
    await moveTo('2026-03-04T00:00:00Z');
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual(['base_fee 27/31 540']);
    await expectPreviewed(await close('2026-02'), preview.thisBill);
  });
});

describe('a late job', () => {
  it('by three hours or a whole month gives the same bill, with lines in the same order', async () => {
    const bills: string[][] = [];
    for (const late of [
      [],
      ['2026-01-20T03:00:00Z', '2026-01-25T03:00:00Z', '2026-02-01T03:00:00Z'],
      ['2026-02-20T00:00:00Z'],
    ]) {
      console.clock.set(new Date('2026-01-05T04:00:00Z'));
      account = `owner${++count}@example.com`;
      ({ token } = await registerUser(console, account, `Organization ${count}`));
      admin = await signIn(console, adminAccount.account, adminAccount.password);
      const [small, large] = await plans({}, { pricing: perCall('620') });
      const subscriptionId = await subscribe(large);
      await console.ok(
        subscriptions.stop,
        { subscriptionId, at: new Date('2026-01-20T00:00:00Z'), resumeAt: new Date('2026-01-25T00:00:00Z') },
        { token },
      );
      await console.ok(subscriptions.change, { subscriptionId, serviceId: small as never }, { token });
      for (const moment of late) {
        await moveTo(moment);
        await runJob();
      }
      await moveTo('2026-03-04T00:00:00Z');
      bills.push([
        ...((await close('2026-01'))?.lines.map(lineText) ?? []),
        ...((await close('2026-02'))?.lines.map(lineText) ?? []),
      ]);
    }
    // 27 days from the 5th, five of them paused; then the smaller plan.
    expect(bills).toEqual(Array(3).fill(['base_fee 22/31 440', 'base_fee 28/28 310']));
  });
});

describe('trials, pauses, ends and years', () => {
  it('trial days are free, but usage is counted', async () => {
    const [serviceId] = await plans({ trialDays: 10 });
    const subscriptionId = await subscribe(serviceId);
    await moveTo('2026-01-20T00:00:00Z');
    await send(subscriptionId, '100', '2026-01-14T15:59:59Z');
    await send(subscriptionId, '7', '2026-01-14T16:00:00Z');
    expect((await console.ok(subscriptions.getSubscription, { subscriptionId }, { token })).usage).toBe(
      '107',
    );
    await moveTo('2026-02-04T00:00:00Z');
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual(['base_fee 17/31 170', 'usage 7 14']);
  });

  it('usage before the day of a change is priced by the old plan, from that day by the new one', async () => {
    const [a, b] = await plans({}, { pricing: { ...perCall('620'), unitPrice: '5' } as Pricing });
    const subscriptionId = await subscribe(a);
    await moveTo('2026-01-14T09:00:00Z');
    await console.ok(subscriptions.change, { subscriptionId, serviceId: b as never }, { token });
    await moveTo('2026-01-15T09:00:00Z');
    await send(subscriptionId, '3', '2026-01-13T15:59:59Z');
    await send(subscriptionId, '4', '2026-01-13T16:00:00Z');
    await moveTo('2026-02-04T00:00:00Z');
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual([
      'base_fee 27/31 270',
      'credit 18/31 -180',
      'base_fee 18/31 360',
      'usage 3 6',
      'usage 4 20',
    ]);
  });

  it('included quantity, minimum and maximum of a month are prorated by the days of each part', async () => {
    const [a, b] = await plans(
      { pricing: perCall('0', { included: '31' }) },
      { pricing: perCall('1', { minimum: '310', maximum: '620' }) },
    );
    const subscriptionId = await subscribe(a);
    await moveTo('2026-01-15T04:00:00Z');
    await console.ok(subscriptions.change, { subscriptionId, serviceId: b as never }, { token });
    await send(subscriptionId, '12', '2026-01-14T00:00:00Z');
    await moveTo('2026-01-16T04:00:00Z');
    await send(subscriptionId, '1000', '2026-01-15T06:00:00Z');
    await moveTo('2026-02-04T00:00:00Z');
    // Ten days of the first plan include 10 of its 31; 17 of the second may cost at most 340, so 0.55 of the
    // fee and 2000 of the usage are cut.
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual([
      'base_fee 17/31 1',
      'usage 12 4',
      'usage 1000 2000',
      'maximum -1661',
    ]);
  });

  it('a year is charged where it begins; pauses, changes and the end return their part in their own months', async () => {
    const [year] = await plans({ pricing: perCall('3650'), billingCycle: 'yearly' });
    const subscriptionId = await subscribe(year);
    await moveTo('2026-02-10T04:00:00Z');
    await console.ok(
      subscriptions.stop,
      { subscriptionId, resumeAt: new Date('2026-02-14T04:00:00Z') },
      { token },
    );
    await moveTo('2026-03-11T04:00:00Z');
    await console.ok(subscriptions.change, { subscriptionId, quantity: '2' }, { token });
    await moveTo('2026-04-10T04:00:00Z');
    await console.ok(subscriptions.cancel, { subscriptionId, when: 'now' }, { token });
    await moveTo('2026-06-04T00:00:00Z');
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual(['base_fee 365/365 3650']);
    expect((await close('2026-02'))?.lines.map(lineText)).toEqual(['credit 4/365 -40']);
    expect((await close('2026-03'))?.lines.map(lineText)).toEqual([
      'credit 300/365 -3000',
      'base_fee 300/365 6000',
    ]);
    expect((await close('2026-04'))?.lines.map(lineText)).toEqual(['credit 270/365 -5400']);
    expect(await close('2026-05')).toBeUndefined();
    // Credits beyond a month's charges go to the customer's balance, with their tax: 42 and 5670.
    expect((await console.ok(payments.balance, {}, { token })).balances.map(moneyText)).toEqual(['5712']);
  });

  it('paused in one month, resumed in another; ended immediately', async () => {
    const [serviceId] = await plans({ pricing: perCall('3100') });
    const subscriptionId = await subscribe(serviceId);
    await moveTo('2026-01-20T04:00:00Z');
    await console.ok(subscriptions.stop, { subscriptionId }, { token });
    await moveTo('2026-02-11T04:00:00Z');
    await console.ok(subscriptions.start, { subscriptionId }, { token });
    await moveTo('2026-02-21T04:00:00Z');
    await console.ok(subscriptions.cancel, { subscriptionId, when: 'now' }, { token });
    await moveTo('2026-04-04T00:00:00Z');
    expect((await close('2026-01'))?.lines.map(lineText)).toEqual(['base_fee 15/31 1500']);
    expect((await close('2026-02'))?.lines.map(lineText)).toEqual(['base_fee 10/28 1107']);
    expect(await close('2026-03')).toBeUndefined();
  });

  it('an expired year that is renewed later costs nothing in between', async () => {
    const [year] = await plans({ pricing: perCall('3650'), billingCycle: 'yearly' });
    const subscriptionId = await subscribe(year, { autoRenew: false });
    await moveTo('2027-02-10T04:00:00Z');
    await console.ok(subscriptions.renew, { subscriptionId }, { token });
    await moveTo('2027-04-04T00:00:00Z');
    expect(await close('2027-01')).toBeUndefined();
    expect((await close('2027-02'))?.lines.map(lineText)).toEqual(['base_fee 365/365 3650']);
    expect(await close('2027-03')).toBeUndefined();
  });
});

describe('the days of a bill', () => {
  it('are on the running bill, in the explanation, in the CSV and in the PDF, in both languages', async () => {
    const [a, b] = await plans({}, { pricing: perCall('620') });
    const subscriptionId = await subscribe(a, { quantity: '3' });
    await moveTo('2026-01-14T09:00:00Z');
    await console.ok(subscriptions.change, { subscriptionId, serviceId: b as never }, { token });
    const {
      bills: [current],
    } = await console.ok(billing.currentBill, {}, { token });
    expect(current!.lines.map((line) => line.share)).toEqual([
      { part: 27, whole: 31, unit: 'day', units: '3' },
      { part: 18, whole: 31, unit: 'day', units: '3' },
      { part: 18, whole: 31, unit: 'day', units: '3' },
    ]);
    await moveTo('2026-02-04T00:00:00Z');
    const bill = (await close('2026-01'))!;
    const explained = await console.ok(billing.explainLine, { billId: bill.id, lineId: '2' }, { token });
    expect(explained).toMatchObject({
      line: { kind: 'credit', quantity: '-1.741935483871', unitPrice: '310' },
      steps: [{ kind: 'base', amount: '-540', share: { part: 18, whole: 31, units: '3' } }],
    });
    const file = async (
      call: typeof billing.billCsv | typeof billing.billPdf,
      language: 'zhTW' | 'enUS',
    ): Promise<Uint8Array> => {
      const { body } = await console.ok(call, { billId: bill.id, language }, { token });
      return body instanceof Uint8Array ? body : new Uint8Array();
    };
    expect(new TextDecoder().decode(await file(billing.billCsv, 'zhTW'))).toContain(
      '未使用期間退回,-1.741935483871,月,310,-540,-540',
    );
    const paper = async (language: 'zhTW' | 'enUS'): Promise<string> =>
      (await pdfPages(Buffer.from(await file(billing.billPdf, language)))).join(' ');
    expect(await paper('zhTW')).toContain('未使用期間退回 3 × 18／31 天 NT$310／月 -NT$540');
    expect(await paper('enUS')).toContain('Unused days credited 3 × 18 of 31 days NT$310 / month -NT$540');
  });

  it('R-BILL-03 distinguish the weeks of a weekly charge in the CSV of a bill, with every column in its place', async () => {
    const named = (zhTW: string, enUS: string) => ({ zhTW, enUS });
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Host',
        type: 'VM',
        category: 'Compute',
        currency: 'TWD',
        charges: [
          {
            key: 'check',
            name: named('巡檢', 'Check'),
            kind: 'recurring',
            model: 'flat',
            amount: '70',
            cycle: 'week',
          },
          { key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount: '310' },
        ],
      },
      { token: admin },
    );
    await moveTo('2026-03-31T16:00:00Z');
    await subscribe(serviceId);
    await moveTo('2026-05-04T00:00:00Z');
    const bill = (await close('2026-04'))!;
    const rows = async (language: 'zhTW' | 'enUS'): Promise<string[][]> => {
      const { body } = await console.ok(billing.billCsv, { billId: bill.id, language }, { token });
      return parse(Buffer.from(body as Uint8Array), { bom: true });
    };
    const [header, ...lines] = await rows('zhTW');
    expect(header?.length).toBe(11);
    const ofHost = lines
      .filter((row) => row[2]?.startsWith('Host'))
      .map((row) => `${row[2]} ${row[9]} ${row[10]}`);
    // The first of April is a Wednesday: four weeks begin on Mondays, after the rest of the first.
    expect(ofHost).toEqual([
      'Host：巡檢（2026/03/30–04/05） 50 TWD',
      'Host：巡檢（2026/04/06–04/12） 70 TWD',
      'Host：巡檢（2026/04/13–04/19） 70 TWD',
      'Host：巡檢（2026/04/20–04/26） 70 TWD',
      'Host：巡檢（2026/04/27–05/03） 70 TWD',
      'Host：月費 310 TWD',
    ]);
    expect(new Set(lines.map((row) => row.join('|'))).size).toBe(lines.length);
    expect((await rows('enUS')).flat().filter((cell) => cell.startsWith('Host: Check'))[1]).toMatch(
      /^Host: Check \(Apr 6.*12, 2026\)$/,
    );
  });

  it('R-BILL-03 distinguish periods in the table of many bills as in the CSV of each, and in the reversal of a void', async () => {
    const charge = (cycle: 'week' | 'month' | 'half_year', more: object = {}) => ({
      key: `${cycle}${Object.keys(more).length}`,
      name: { zhTW: `費 ${cycle}`, enUS: `Fee ${cycle}` },
      kind: 'recurring' as const,
      model: 'flat' as const,
      amount: '100',
      cycle,
      ...more,
    });
    const anniversary = { anchor: 'anniversary' as const };
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Cycles',
        type: 'VM',
        category: 'Compute',
        currency: 'TWD',
        charges: [
          charge('week', { timing: 'arrears' }),
          charge('month'),
          charge('month', anniversary),
          charge('half_year'),
          charge('half_year', { ...anniversary, prorate: 'second' }),
        ],
      },
      { token: admin },
    );
    await moveTo('2026-12-14T16:00:00Z');
    await subscribe(serviceId);
    await moveTo('2027-01-04T00:00:00Z');
    const december = (await close('2026-12'))!;
    await moveTo('2027-02-04T00:00:00Z');
    const january = (await close('2027-01'))!;
    const namesIn = (body: unknown, column: number): string[] =>
      parse(Buffer.from(body as Uint8Array), { bom: true })
        .map((row) => row[column] ?? '')
        .filter((name) => name.startsWith('Cycles'));
    const tableOf = async (
      format: 'csv' | 'xlsx',
      language: 'zhTW' | 'enUS',
      month: string,
    ): Promise<Buffer> => {
      const { body } = await console.ok(
        billing.exportBills,
        { format, month: month as BillingMonth, language },
        { token },
      );
      return Buffer.from(body as unknown as Uint8Array);
    };
    const fileOf = async (language: 'zhTW' | 'enUS', month: string): Promise<string[]> =>
      namesIn(await tableOf('csv', language, month), 6);
    for (const language of ['zhTW', 'enUS'] as const)
      for (const [month, { id: billId }] of [
        ['2026-12', december],
        ['2027-01', january],
      ] as const) {
        const { body } = await console.ok(billing.billCsv, { billId, language }, { token });
        const each = namesIn(body, 2);
        expect(await fileOf(language, month), `${month} ${language}`).toEqual(each);
        expect(new Set(each).size).toBe(each.length);
        // The workbook has the same rows, cell by cell.
        const sheet = await readSheet(await tableOf('xlsx', language, month), {
          maxRows: 100,
          maxColumns: 50,
          maxBytes: 1024 ** 2,
        });
        const csv: string[][] = parse(await tableOf('csv', language, month), { bom: true });
        const width = csv[0]?.length ?? 0;
        expect(
          sheet.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? '')),
          `${month} ${language}`,
        ).toEqual(csv.map((row) => row.map(withoutGuard)));
        expect(sheet.map((row) => row[6] ?? '').filter((name) => name.startsWith('Cycles'))).toEqual(each);
      }
    // Across the turn of the year both years are shown.
    expect((await fileOf('zhTW', '2026-12')).join()).toContain('（2026/12/15–2027/01/14）');
    expect((await fileOf('enUS', '2027-01')).join()).toMatch(/\(Dec 28, 2026.{3}Jan 3, 2027\)/);
    await console.ok(credits.voidBill, { billId: december.id, reason: 'wrong buyer' }, { token: admin });
    const names = await fileOf('enUS', '2026-12');
    expect(names.slice(names.length / 2)).toEqual(names.slice(0, names.length / 2));
  });
});

// E-invoices when the provider rejects, does not respond or lies, at the end of a period, and with two
// consoles (T-EINV).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import { runEinvoices } from '#features/receivables/einvoices/server/index.ts';
import {
  addTrack,
  asAdmin,
  company,
  detail,
  fails,
  invoiceOf,
  invoicesOf,
  list,
  run,
  startEinvoices,
  way,
} from '../support/einvoices-console.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  fee,
  moveTo,
  net,
  october,
  september,
  type Customer,
} from '../support/corrections.ts';

/** Runs again after a while, so that waiting invoices are due. */
async function later(minutes: number): Promise<void> {
  at.console.clock.set(new Date(at.console.clock.now().getTime() + minutes * 60_000));
  await run();
}
const summary = (period: '2024-09' | '2024-11') =>
  at.console.ok(einvoices.periodSummary, { period: period as BillingMonth }, asAdmin());
const callsOf = (id: string): string[] =>
  way.provider.calls.filter((call) => call.endsWith(id)).map((call) => call.split(' ')[0] ?? '');

describe('T-EINV: a provider that gets numbers from tracks', () => {
  const made = {} as Record<'one' | 'two' | 'three' | 'four' | 'five', Customer>;
  beforeAll(async () => {
    await startEinvoices();
    for (const name of ['one', 'two', 'three', 'four', 'five'] as const)
      made[name] = await company(fee('1000'));
    await moveTo('2024-10-05T03:00:00Z');
    await addTrack('2024-09', '00000000', '00000099');
    await addTrack('2024-11', '00000000', '00000099', 'CD');
    await close(september);
  });

  it('without a response after issuing is queried, and without one before issuing issues once', async () => {
    way.provider.moods.issue = ['after', 'before', 'refuse'];
    await run();
    const [first, second, refused, ...others] = await list();
    expect([first, second, refused].map((one) => [one?.state, one?.errorCode])).toEqual([
      ['issued', 'einvoices.no_answer'],
      ['issued', 'einvoices.no_answer'],
      ['failed', '5000001'],
    ]);
    expect(others.map(({ state }) => state)).toEqual(['uploading', 'uploading']);
    expect((await detail(first!.id)).isUnsure).toBe(true);
    expect((await detail(refused!.id)).isUnsure).toBe(false);
    // Nothing is retried before its time.
    await run();
    expect(callsOf(first!.id)).toEqual(['issue']);
    await later(1);
    expect(callsOf(first!.id)).toEqual(['issue', 'find']);
    expect(callsOf(second!.id)).toEqual(['issue', 'find', 'issue']);
    expect((await list()).map(({ state }) => state)).toEqual([
      'uploading',
      'uploading',
      'failed',
      'uploading',
      'uploading',
    ]);
    expect((await detail(second!.id)).attempts.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'issue done',
      'find absent',
      'issue unsure',
    ]);
  });

  it('with a failing query leaves the state unknown: it is queried again, and neither dropped nor given another buyer', async () => {
    const one = await invoiceOf(made.one);
    await credit(await billOf(made.one), net(10));
    way.provider.moods.allow = ['after'];
    way.provider.moods.findAllowance = ['before', 'refuse'];
    await run();
    await later(1);
    await later(2);
    const [allowance] = (await detail(one.id)).allowances;
    expect(allowance).toMatchObject({ state: 'failed', errorCode: '5000001' });
    expect(
      await fails(
        at.console.call(einvoices.voidAllowance, { allowanceId: allowance!.id, reason: 'x' }, asAdmin()),
      ),
    ).toBe('einvoices.unsure');
    await at.console.ok(einvoices.retryEinvoice, { einvoiceId: one.id }, asAdmin());
    await run();
    expect((await detail(one.id)).allowances).toMatchObject([{ state: 'sent', errorCode: null }]);
    expect(callsOf(allowance!.id)).toEqual(['allow', 'findAllowance', 'findAllowance', 'findAllowance']);
  });

  it('rejects an invoice, whose buyer is corrected and which keeps its number', async () => {
    const refused = await invoiceOf(made.three);
    const change = (more: object) =>
      at.console.call(
        einvoices.changeBuyer,
        { einvoiceId: refused.id, taxId: '', name: '', keep: 'mobile', code: '/abc 1234', ...more },
        asAdmin(),
      );
    expect(await fails(change({ code: 'ABC1234' }))).toBe('code: einvoices.mobile_wrong');
    expect(await fails(change({ taxId: '12345678' }))).toBe('taxId: einvoices.tax_id_wrong');
    expect((await change({})).data).toMatchObject({
      number: refused.number,
      kind: 'consumer',
      carrier: { kind: 'mobile', code: '/ABC1234' },
      sales: { taxable: { minor: 1050n } },
    });
    await run();
    expect(await invoiceOf(made.three)).toMatchObject({ state: 'uploading', number: refused.number });
    expect(way.provider.issued.get(refused.id)?.invoice).toMatchObject({
      buyer: { taxId: '' },
      carrier: { code: '/ABC1234' },
    });
    expect(await fails(change({}))).toBe('einvoices.sent_already');
  });

  it('is queried about voids like about issues; a void that is rejected until its two months are over becomes an allowance', async () => {
    const [four, five] = [await invoiceOf(made.four), await invoiceOf(made.five)];
    for (const one of [made.four, made.five])
      await at.console.ok(credits.voidBill, { billId: (await billOf(one)).id, reason: 'wrong' }, asAdmin());
    way.provider.moods.void = ['after', 'refuse'];
    const before = await summary('2024-09');
    await run();
    // Until the provider is known to have voided it, it stands, and is filed as a sale.
    expect(await summary('2024-09')).toMatchObject({ net: before.net, voided: 0, failed: 1 });
    await later(1);
    expect((await detail(four.id)).state).toBe('voided');
    expect(await summary('2024-09')).toMatchObject({
      net: { minor: before.net.minor - 1000n },
      voided: 1,
      failed: 1,
    });
    expect(callsOf(four.id).filter((call) => call === 'void')).toHaveLength(1);
    expect((await detail(five.id)).state).toBe('failed');
    await moveTo('2024-10-31T16:00:00Z');
    await at.console.ok(einvoices.retryEinvoice, { einvoiceId: five.id }, asAdmin());
    await run();
    expect(await detail(five.id)).toMatchObject({
      state: 'allowed',
      allowed: { minor: 1050n },
      voidReason: null,
    });
    expect(callsOf(five.id).filter((call) => call === 'void')).toHaveLength(1);
  });

  it('is not trusted when it returns another number than it was given', async () => {
    await moveTo('2024-11-04T03:00:00Z');
    await close(october);
    way.provider.moods.issue = ['lie'];
    await run();
    const [lied] = (await list()).filter(({ state }) => state === 'failed');
    expect(lied?.errorWords).toBe('XX00000000');
    expect((await detail(lied!.id)).isUnsure).toBe(true);
    await at.console.ok(einvoices.retryEinvoice, { einvoiceId: lied!.id }, asAdmin());
    await run();
    expect((await detail(lied!.id)).state).toBe('uploading');
  });

  it('gets the unused numbers of an ended period once, including those of dropped invoices', async () => {
    const report = (period: string) =>
      at.console.call(einvoices.reportUnused, { period: period as never }, asAdmin());
    expect(await fails(report('2024-11'))).toBe('einvoices.period_runs');
    const filed = await summary('2024-09');
    expect(filed).toMatchObject({
      voided: 1,
      canReportUnused: true,
      unused: [{ letters: 'AB', from: 5, to: 99, count: 95 }],
    });
    expect(filed.sales).toMatchObject([
      { kind: 'company', taxKind: 'taxable', count: 3, net: { minor: 3000n }, tax: { minor: 150n } },
      { kind: 'consumer', count: 1, net: { minor: 1000n } },
    ]);
    // The allowance of November is in November’s return.
    expect(filed.allowances).toMatchObject([{ kind: 'company', count: 1, net: { minor: 10n } }]);
    const next = await summary('2024-11');
    expect(next.allowances).toMatchObject([{ count: 1, net: { minor: 1000n }, tax: { minor: 50n } }]);
    // Turnkey gets the report as a file.
    expect((await report('2024-09')).data).toMatchObject({ canReportUnused: false });
    expect(await fails(report('2024-09'))).toBe('einvoices.unused_already');
  });

  it('cannot lead to a change of sent data or a reused number, even in the database', async () => {
    const [sent] = (await list()).filter(({ state }) => state === 'uploading');
    const id = sent!.id;
    for (const change of [
      sql`update einvoice set document = jsonb_set(document, '{total}', '"1"') where id = ${id}`,
      sql`update einvoice set number = 'AB00000099' where id = ${id}`,
      sql`update einvoice set net_minor = net_minor + 1, total_minor = total_minor + 1 where id = ${id}`,
      sql`delete from einvoice where id = ${id}`,
    ])
      await expect(change.execute(db())).rejects.toThrow(/never/);
    await expect(
      sql`insert into einvoice (id, bill_id, organization_id, state, kind, tax_kind, period, number, issued_at, document, lines, net_minor, tax_minor, total_minor, created_at)
        select 'ein_copy', bill_id, organization_id, 'issued', kind, tax_kind, period, number, issued_at, document, lines, net_minor, tax_minor, total_minor, created_at from einvoice where id = ${id}`.execute(
        db(),
      ),
    ).rejects.toThrow(/einvoice_number_once/);
  });
});

describe('T-EINV: a provider that assigns numbers', () => {
  it('returns the number with its response; an invoice of a bill voided meanwhile is withdrawn once it is known', async () => {
    await startEinvoices('ecpay');
    const [one, two] = [await customer(fee('100')), await customer(fee('200'))];
    await moveTo('2024-10-05T03:00:00Z');
    expect(await fails(addTrack('2024-09', '00000000', '00000049'))).toBe('einvoices.tracks_needless');
    await close(september);
    way.provider.moods.issue = ['after'];
    await run();
    expect((await list()).map(({ state, number }) => [state, number])).toEqual([
      ['pending', null],
      ['uploading', 'ZZ00000002'],
    ]);
    const bill = await billOf(one);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    await run();
    expect((await invoicesOf(bill)).map(({ state }) => state)).toEqual(['pending']);
    await later(1);
    await later(1);
    expect((await invoicesOf(bill)).map(({ state, number }) => [state, number])).toEqual([
      ['voided', 'ZZ00000001'],
    ]);
    expect((await invoiceOf(two)).state).toBe('uploaded');
  });
});

describe('T-EINV: a console that crashes after the provider issued', () => {
  it('has stored before that the outcome is unknown: the next one queries first', async () => {
    await startEinvoices();
    const one = await company(fee('100'));
    await addTrack('2024-09', '00000000', '00000049');
    await moveTo('2024-10-05T03:00:00Z');
    await close(september);
    way.provider.moods.issue = ['never'];
    void run();
    await expect.poll(() => way.provider.issued.size).toBe(1);
    const { id } = await invoiceOf(one);
    // While the claim is valid no other process touches it.
    await run();
    await later(4);
    expect(callsOf(id)).toEqual(['issue']);
    await later(2);
    expect(callsOf(id)).toEqual(['issue', 'find']);
    expect(await invoiceOf(one)).toMatchObject({ state: 'uploading', number: 'AB00000000' });
  });
});

describe('T-EINV: the end of a period in Taiwan', () => {
  it('gives an invoice a number of the period of its date, never of a past one', async () => {
    await startEinvoices();
    const one = await company(fee('100'));
    await addTrack('2024-09', '00000000', '00000049');
    await moveTo('2024-10-05T03:00:00Z');
    await close(september);
    // 23:59:59.999 on 31 October in Taipei.
    at.console.clock.set(new Date('2024-10-31T15:59:59.999Z'));
    await run();
    await moveTo('2024-11-04T03:00:00Z');
    await close(october);
    at.console.clock.set(new Date('2024-10-31T16:00:00Z'));
    await run();
    expect((await invoiceOf(one, october)).state).toBe('pending');
    await moveTo('2024-11-04T03:00:00Z');
    await addTrack('2024-11', '00000000', '00000049', 'CD');
    await run();
    expect((await invoiceOf(one)).number).toBe('AB00000000');
    expect((await invoiceOf(one, october)).number).toBe('CD00000000');
  });
});

describe('T-EINV: concurrency', () => {
  it('50 bills of two consoles get 50 numbers without gaps, in the order of their dates, across the end of a period', async () => {
    await startEinvoices();
    const first = await customer(fee('100'));
    // Registering 24 more through the API would be rate limited.
    await sql`insert into organization (id, name, time_zone, language, created_at) select 'org_' || lpad(n::text, 26, '0'), 'Copy ' || n, o.time_zone, o.language, o.created_at from organization o, generate_series(1, 24) as n where o.id = ${first.organizationId}`.execute(
      db(),
    );
    await sql`insert into subscription (id, organization_id, service_id, state, started_at, created_at) select 'sub_' || lpad(n::text, 26, '0'), 'org_' || lpad(n::text, 26, '0'), s.service_id, 'active', s.started_at, s.created_at from subscription s, generate_series(1, 24) as n where s.organization_id = ${first.organizationId}`.execute(
      db(),
    );
    await sql`insert into subscription_phase (subscription_id, from_at, service_id, quantity, is_applied) select 'sub_' || lpad(n::text, 26, '0'), p.from_at, p.service_id, 1, true from subscription_phase p join subscription s on s.id = p.subscription_id, generate_series(1, 24) as n where s.organization_id = ${first.organizationId}`.execute(
      db(),
    );
    await addTrack('2024-09', '00000000', '00000049');
    await addTrack('2024-11', '00000000', '00000049', 'CD');
    await moveTo('2024-10-05T03:00:00Z');
    await close(september);
    const app = at.console.app;
    // Two consoles’ jobs at once, on the same queue.
    await Promise.all([run(), runEinvoices(app, way.provider), runEinvoices(app, way.provider)]);
    await moveTo('2024-11-04T03:00:00Z');
    await close(october);
    await Promise.all([run(), runEinvoices(app, way.provider)]);
    const all = (await list()).map(({ number, issuedAt }) => ({ number, issuedAt }));
    expect(all).toHaveLength(50);
    const numbers = all.map(({ number }) => number ?? '').toSorted();
    expect(numbers).toEqual([
      ...Array.from({ length: 25 }, (_, index) => `AB${String(index).padStart(8, '0')}`),
      ...Array.from({ length: 25 }, (_, index) => `CD${String(index).padStart(8, '0')}`),
    ]);
    expect(way.provider.issued.size).toBe(50);
    const byNumber = all.toSorted((a, b) => ((a.number ?? '') < (b.number ?? '') ? -1 : 1));
    const dates = byNumber.map(({ issuedAt }) => issuedAt?.getTime() ?? 0);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });
});

describe('T-EINV: the replacement of an invoice', () => {
  const made = {} as Record<'six' | 'seven', Customer>;
  beforeAll(async () => {
    await startEinvoices();
    for (const name of ['six', 'seven'] as const) made[name] = await company(fee('1000'));
    await moveTo('2024-10-05T03:00:00Z');
    await addTrack('2024-09', '00000000', '00000099');
    await addTrack('2024-11', '00000000', '00000099', 'CD');
    await close(september);
    await run();
  });

  it('is issued once the void, or the allowance in its place, is confirmed', async () => {
    const statesOf = async (one: Customer) => (await invoicesOf(await billOf(one))).map(({ state }) => state);
    for (const one of [made.six, made.seven])
      await at.console.ok(
        einvoices.voidEinvoice,
        { einvoiceId: (await invoiceOf(one)).id, reason: '品名錯誤', again: true },
        asAdmin(),
      );
    const [six, seven] = [await invoiceOf(made.six), await invoiceOf(made.seven)];
    way.provider.moods.void = ['before', 'refuse'];
    await run();
    await run();
    // Two invoices would state the same sale.
    expect([await statesOf(made.six), await statesOf(made.seven)]).toEqual([['voiding'], ['failed']]);
    await later(1);
    await run();
    expect(await statesOf(made.six)).toEqual(['voided', 'uploading']);
    expect(callsOf(six.id)).toContain('void');
    await moveTo('2024-10-31T16:00:00Z');
    way.provider.moods.allow = ['refuse'];
    await at.console.ok(einvoices.retryEinvoice, { einvoiceId: seven.id }, asAdmin());
    await run();
    await run();
    expect(await statesOf(made.seven)).toEqual(['allowed']);
    await at.console.ok(einvoices.retryEinvoice, { einvoiceId: seven.id }, asAdmin());
    await run();
    await run();
    expect(await statesOf(made.seven)).toEqual(['allowed', 'uploading']);
    const [canceled, again] = await invoicesOf(await billOf(made.seven));
    expect(canceled?.allowed).toEqual(canceled?.total);
    expect(again?.total).toEqual(canceled?.total);
  });
});

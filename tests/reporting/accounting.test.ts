// Journals for accounting programs on real bills: mapped, balanced, equal to the ledger, and reproducible
// (issue 30).
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { accounting, type JournalExport } from '#features/reporting/accounting/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  net,
  october,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { dayOf, expectSoundJournals, journalFile, mapAll, rowsOf } from '../support/journals.ts';
import { placeOf } from '../support/books.ts';
import { stopRepeating } from '../support/jobs.ts';
import { checks } from '../../verify/checks.ts';
import { connection, opened } from '../../verify/connection.ts';

const asAdmin = () => ({ token: at.admin });
const december = '2024-12' as BillingMonth;
const preview = (period: BillingMonth) => at.console.ok(accounting.previewJournal, { period }, asAdmin());
const make = (period: BillingMonth) => at.console.ok(accounting.makeJournal, { period }, asAdmin());
const file = (journal: JournalExport, format: Parameters<typeof journalFile>[3], more = {}) =>
  journalFile(at.console, at.admin, journal.id, format, more);
const whole = { currency: null, taxRate: null, serviceId: null, department: '', taxName: '' } as const;

describe('T-ACC: exports of a small history', () => {
  let one: Customer, other: Customer;
  let first: JournalExport;

  beforeAll(async () => {
    await startBilling();
    await stopRepeating(at.console.app);
    one = await customer(fee('1000'), fee('200'));
    other = await customer(fee('30', 'USD'));
    await use(one, 'u1', '40', '2024-08-31T20:00:00Z');
    await topUp(one, twd(5000));
    await moveTo('2024-10-01T00:10:00Z');
    await close(september);
    await pay(one, await billOf(one, september));
    await moveTo('2024-10-05T03:00:00Z');
    await credit(await billOf(other, september), net(1000, 'USD'));
    await moveTo('2024-11-01T00:10:00Z');
  });
  afterEach(async () => {
    await expectSoundBooks();
    await expectSoundJournals(at.console);
  });

  it('an export is rejected while accounts are not mapped, and names them', async () => {
    const before = await preview(october);
    expect(
      before.unmapped.map(({ accountKind, currency }) => `${accountKind} ${currency}`).toSorted(),
    ).toEqual([
      'balance TWD',
      'receivable TWD',
      'receivable USD',
      'revenue TWD',
      'revenue USD',
      'tax TWD',
      'tax USD',
    ]);
    const refused = await at.console.call(accounting.makeJournal, { period: october }, asAdmin());
    expect([refused.status, refused.envelope.code]).toEqual([409, 'accounting.unmapped']);
    expect(refused.envelope.message).toContain('Receivables TWD');
    const { unmapped } = await at.console.ok(accounting.listMappings, {}, asAdmin());
    expect(unmapped).toContain('cash');
    await mapAll(at.console, at.admin);
    expect((await preview(october)).unmapped).toEqual([]);
  });

  it('a period that is not over can be previewed but not exported', async () => {
    const running = await at.console.call(
      accounting.makeJournal,
      { period: '2024-11' as BillingMonth },
      asAdmin(),
    );
    expect(running.envelope.code).toBe('accounting.period_not_over');
    expect((await preview('2024-11' as BillingMonth)).isOver).toBe(false);
    const nothing = await at.console.call(
      accounting.makeJournal,
      { period: '2024-01' as BillingMonth },
      asAdmin(),
    );
    expect(nothing.envelope.code).toBe('accounting.nothing_to_export');
  });

  it('revenue is split by service and tax by rate where they are mapped, exactly', async () => {
    const { services, taxRates, currencies } = await at.console.ok(accounting.listMappings, {}, asAdmin());
    expect([taxRates, currencies]).toEqual([['5'], ['TWD', 'USD']]);
    const [service] = services.filter(({ name }) => name === 'S1-1');
    await at.console.ok(
      accounting.saveMapping,
      {
        ...whole,
        accountKind: 'revenue',
        serviceId: required(service, 'the service').id,
        code: '4101',
        name: '軟體收入',
        department: 'D1',
      },
      asAdmin(),
    );
    await at.console.ok(
      accounting.saveMapping,
      { ...whole, accountKind: 'tax', taxRate: '5.0', code: '2194', name: '銷項稅額 5%' },
      asAdmin(),
    );
    const { shown, accounts, proof, totals } = await preview(october);
    expect(
      shown.map(({ day, kind, currency, transactions, total, lines }) => [
        `${day} ${currency} ${kind} ${transactions} ${moneyText(total)}`,
        ...lines.map(
          ({ code, department, debit, credit: taken }) =>
            `${code}${department} ${debit ? `debit ${moneyText(debit)}` : `credit ${taken ? moneyText(taken) : ''}`}`,
        ),
      ]),
    ).toEqual([
      // 1000 + 40 of the first service, 200 of the second, 62 tax.
      [
        '2024-10-01 TWD bill 1 1302',
        '1001 debit 1302',
        '1006 credit 1040',
        '2194 credit 62',
        '4101D1 credit 200',
      ],
      ['2024-10-01 TWD payment 1 1302', '1002 debit 1302', '1001 credit 1302'],
      ['2024-10-01 USD bill 1 31.50', '1001 debit 31.50', '1006 credit 30.00', '2194 credit 1.50'],
      ['2024-10-05 USD credit_note 1 10.50', '1006 debit 10.00', '2194 debit 0.50', '1001 credit 10.50'],
    ]);
    expect(
      accounts.map(({ code, debit, credit: taken }) => [
        code,
        debit.currency,
        moneyText(debit),
        moneyText(taken),
      ]),
    ).toEqual([
      ['1001', 'TWD', '1302', '1302'],
      ['1002', 'TWD', '1302', '0'],
      ['1006', 'TWD', '0', '1040'],
      ['2194', 'TWD', '0', '62'],
      ['4101', 'TWD', '0', '200'],
      ['1001', 'USD', '31.50', '10.50'],
      ['1006', 'USD', '10.00', '30.00'],
      ['2194', 'USD', '0.50', '1.50'],
    ]);
    expect(totals.map(({ debit, credit: taken }) => [moneyText(debit), moneyText(taken)])).toEqual([
      ['2604', '2604'],
      ['42.00', '42.00'],
    ]);
    expect(proof.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it('another account for a rate, and an unknown service, are rejected at their fields', async () => {
    const save = (more: object) =>
      at.console.call(
        accounting.saveMapping,
        { ...whole, accountKind: 'cash', code: '1', name: 'x', ...more } as never,
        asAdmin(),
      );
    expect((await save({ taxRate: '5' })).envelope.code).toBe('accounting.only_tax_has_rates');
    expect((await save({ serviceId: 'svc_00000000000000000000000000' })).envelope.code).toBe(
      'accounting.only_revenue_has_services',
    );
    expect(
      (await save({ accountKind: 'revenue', serviceId: 'svc_00000000000000000000000000' })).envelope.code,
    ).toBe('accounting.service_not_found');
  });

  it('the month is exported once, and its accounts equal the movements of the trial balance', async () => {
    const [made, again] = await Promise.all([
      at.console.call(accounting.makeJournal, { period: october }, asAdmin()),
      at.console.call(accounting.makeJournal, { period: october }, asAdmin()),
    ]);
    // One of two concurrent exports succeeds; the other one finds nothing left, or has to wait.
    expect([made.status, again.status].toSorted((a, b) => a - b)[0]).toBe(201);
    expect([made.status, again.status].filter((status) => status === 201)).toHaveLength(1);
    const { items } = await at.console.ok(accounting.listJournals, {}, asAdmin());
    first = required(items[0], 'the export');
    expect([first.period, first.sequence, first.vouchers, first.lines, first.transactions]).toEqual([
      '2024-10',
      1,
      4,
      12,
      4,
    ]);
    const balance = async (asOf: string) =>
      new Map(
        (await at.console.ok(books.trialBalance, { asOf: dayOf(asOf) }, asAdmin())).items.map(
          ({ kind, currency, debit, credit: taken }) => [
            `${kind} ${currency}`,
            (debit?.minor ?? 0n) - (taken?.minor ?? 0n),
          ],
        ),
      );
    const [opening, closing] = [await balance('2024-09-30'), await balance('2024-10-31')];
    const rows = rowsOf(await file(first, 'csv')).slice(1);
    const minor = (text: string | undefined) => BigInt((text === '' ? '0' : (text ?? '0')).replace('.', ''));
    const moved = (code: string, currency: string) =>
      rows
        .filter((cells) => cells[3] === code && cells[8] === currency)
        .reduce((sum, cells) => sum + minor(cells[6]) - minor(cells[7]), 0n);
    for (const [code, kind] of [
      ['1001', 'receivable'],
      ['1002', 'balance'],
      ['2194', 'tax'],
    ] as const)
      for (const currency of ['TWD', 'USD'])
        expect([kind, currency, moved(code, currency)]).toEqual([
          kind,
          currency,
          (closing.get(`${kind} ${currency}`) ?? 0n) - (opening.get(`${kind} ${currency}`) ?? 0n),
        ]);
  });

  it('each format has the columns of its program, and a file has one currency', async () => {
    const needed = await at.console.call(
      accounting.downloadJournal,
      { exportId: first.id, format: 'xero' },
      asAdmin(),
    );
    expect(needed.envelope.code).toBe('accounting.one_currency_needed');
    const bill = 'Bill issued, 1 transaction';
    const note = 'Credit note, 1 transaction';
    expect(rowsOf(await file(first, 'xero', { currency: 'USD' }))).toEqual([
      [
        '*Narration',
        '*Date',
        'Description',
        '*AccountCode',
        '*TaxRate',
        '*Amount',
        'TrackingName1',
        'TrackingOption1',
        'TrackingName2',
        'TrackingOption2',
      ],
      ...[
        [`20241001003 ${bill}`, '01/10/2024', bill, '1001', 'Tax Exempt', '31.50'],
        [`20241001003 ${bill}`, '01/10/2024', bill, '1006', 'Tax Exempt', '-30.00'],
        [`20241001003 ${bill}`, '01/10/2024', `${bill} · 5%`, '2194', 'Tax Exempt', '-1.50'],
        [`20241005001 ${note}`, '05/10/2024', note, '1006', 'Tax Exempt', '10.00'],
        [`20241005001 ${note}`, '05/10/2024', `${note} · 5%`, '2194', 'Tax Exempt', '0.50'],
        [`20241005001 ${note}`, '05/10/2024', note, '1001', 'Tax Exempt', '-10.50'],
      ].map((cells) => [...cells, '', '', '', '']),
    ]);
    expect(rowsOf(await file(first, 'quickbooks', { currency: 'TWD' })).slice(0, 2)).toEqual([
      ['Journal No', 'Journal Date', 'Account Name', 'Debits', 'Credits', 'Description', 'Class', 'Currency'],
      ['20241001001', '10/01/2024', 'receivable', '1302', '', bill, '', 'TWD'],
    ]);
    expect(rowsOf(await file(first, 'dingxin', { currency: 'TWD' })).slice(3, 5)).toEqual([
      ['', '20241001001', '20241001', '0003', '-1', '2194', '', '62', `${bill} · 5%`, 'TWD'],
      ['', '20241001001', '20241001', '0004', '-1', '4101', 'D1', '200', `${bill} · S1-1`, 'TWD'],
    ]);
    expect(rowsOf(await file(first, 'winton', { currency: 'TWD' })).slice(1, 3)).toEqual([
      ['1131001', '20241001001', '借', '1001', bill, '1302', ''],
      ['1131001', '20241001001', '貸', '1006', bill, '1040', ''],
    ]);
    const nowhere = await at.console.call(
      accounting.downloadJournal,
      { exportId: first.id, format: 'xero', currency: 'USD', part: 2 },
      asAdmin(),
    );
    expect(nowhere.envelope.code).toBe('accounting.part_not_found');
  });

  it('Big5 has the same content, and reports characters that it cannot write beforehand', async () => {
    const { body } = await at.console.ok(
      accounting.downloadJournal,
      { exportId: first.id, format: 'winton', currency: 'TWD', encoding: 'big5' },
      asAdmin(),
    );
    const text = await file(first, 'winton', { currency: 'TWD' });
    expect(new TextDecoder('big5', { fatal: true }).decode(body as Uint8Array)).toBe(
      text.replace('\uFEFF', ''),
    );
    const refused = await at.console.call(
      accounting.downloadJournal,
      { exportId: first.id, format: 'csv', encoding: 'big5' },
      asAdmin(),
    );
    expect(refused.envelope.code).toBe('accounting.big5_not_offered');
  });

  it('downloading a file again gives the same bytes, whatever was changed, and each download is logged', async () => {
    const take = async () =>
      (await at.console.ok(accounting.downloadJournal, { exportId: first.id, format: 'csv' }, asAdmin()))
        .body as Uint8Array;
    const before = await take();
    await at.console.ok(
      accounting.saveMapping,
      { ...whole, accountKind: 'receivable', code: '9999', name: 'renamed' },
      asAdmin(),
    );
    await at.console.ok(
      accounting.saveAccountingSettings,
      { xeroTaxRate: 'Other', xeroTracking: 'Team', voucherType: '9110' },
      asAdmin(),
    );
    const after = await take();
    expect(Buffer.compare(before, after)).toBe(0);
    const { files } = await at.console.ok(accounting.getJournal, { exportId: first.id }, asAdmin());
    const digest = createHash('sha256').update(after).digest('hex');
    expect(files.slice(0, 2).map((each) => [each.format, each.digest, each.bytes])).toEqual([
      ['csv', digest, after.byteLength],
      ['csv', digest, after.byteLength],
    ]);
    expect(files.length).toBeGreaterThan(5);
    await expect(
      sql`update journal_line set debit_minor = debit_minor + 1 where export_id = ${first.id}`.execute(db()),
    ).rejects.toThrow();
    await mapAll(at.console, at.admin);
  });

  it('later entries are exported as a supplement with its own numbers; the first export is unchanged', async () => {
    const text = await file(first, 'csv');
    // A transaction that began in October and was committed after the export.
    await moveTo('2024-10-31T03:00:00Z');
    await topUp(one, twd(700));
    await moveTo('2024-11-02T00:00:00Z');
    const left = await preview(october);
    expect([left.transactions, left.earlier, left.exportedTransactions]).toEqual([1, 1, 4]);
    expect(left.proof.every(({ isEqual }) => isEqual)).toBe(true);
    const more = await make(october);
    expect([more.sequence, more.vouchers]).toEqual([2, 1]);
    expect(rowsOf(await file(more, 'csv')).map((cells) => cells[0])).toEqual([
      expect.anything(),
      '20241031001',
      '20241031001',
    ]);
    expect(await file(first, 'csv')).toBe(text);
  });

  it('a withdrawn export frees its transactions, keeps its files, and its numbers are not reused', async () => {
    const text = await file(first, 'csv');
    await at.console.ok(
      accounting.withdrawJournal,
      { exportId: first.id, reason: 'Wrong accounts' },
      asAdmin(),
    );
    const twice = await at.console.call(
      accounting.withdrawJournal,
      { exportId: first.id, reason: 'Again' },
      asAdmin(),
    );
    expect(twice.envelope.code).toBe('accounting.withdrawn_already');
    expect((await preview(october)).transactions).toBe(4);
    const renewed = await make(october);
    expect([renewed.sequence, renewed.transactions]).toEqual([3, 4]);
    const numbers = (content: string) => [
      ...new Set(
        rowsOf(content)
          .slice(1)
          .map((cells) => cells[0]),
      ),
    ];
    expect(numbers(await file(first, 'csv'))).toEqual([
      '20241001001',
      '20241001002',
      '20241001003',
      '20241005001',
    ]);
    expect(numbers(await file(renewed, 'csv'))).toEqual([
      '20241001004',
      '20241001005',
      '20241001006',
      '20241005002',
    ]);
    expect(await file(first, 'csv')).toBe(text);
    const { items } = await at.console.ok(accounting.listJournals, {}, asAdmin());
    expect(items.map(({ sequence, withdrawn }) => [sequence, withdrawn?.reason ?? ''])).toEqual([
      [3, ''],
      [2, ''],
      [1, 'Wrong accounts'],
    ]);
  });

  it('daily and monthly exports exclude each other: a transaction is in one export', async () => {
    await moveTo('2024-12-01T00:10:00Z');
    await close(october);
    await moveTo('2025-01-01T00:10:00Z');
    const day = await at.console.ok(accounting.makeJournal, { period: dayOf('2024-12-01') }, asAdmin());
    expect([day.period, day.transactions]).toEqual(['2024-12-01', 2]);
    const left = await at.console.call(accounting.makeJournal, { period: december }, asAdmin());
    expect(left.envelope.code).toBe('accounting.nothing_to_export');
    expect((await preview(december)).proof.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it('names that a spreadsheet would run are written as text, and characters that Big5 lacks are reported', async () => {
    await at.console.ok(
      accounting.saveMapping,
      { ...whole, accountKind: 'cash', code: '=1+1', name: '@現金😀' },
      asAdmin(),
    );
    await topUp(one, twd(900));
    await moveTo('2025-02-01T00:10:00Z');
    const january = '2025-01' as BillingMonth;
    expect((await preview(january)).notInBig5).toEqual(['😀']);
    const made = await make(january);
    const text = await file(made, 'csv');
    expect(
      rowsOf(text)
        .find((cells) => cells[6] === '900')
        ?.slice(3, 5),
    ).toEqual(["'=1+1", "'@現金😀"]);
    const refused = await at.console.call(
      accounting.downloadJournal,
      { exportId: made.id, format: 'dingxin', encoding: 'big5' },
      asAdmin(),
    );
    expect([refused.envelope.code, refused.envelope.message.includes('😀')]).toEqual([
      'accounting.not_in_big5',
      true,
    ]);
  });

  it('verify finds nothing, and reports differences between vouchers and ledger', async () => {
    const client = connection(placeOf(at.console));
    await client.connect();
    const found = async (damage?: string): Promise<string[]> => {
      await client.query('begin');
      // As the tables' owner: only a superuser may turn off all triggers at once.
      for (const table of ['journal_line', 'journal_exported'])
        await client.query(`alter table ${table} disable trigger user`);
      if (damage !== undefined) await client.query(damage);
      const looked = await required(
        checks.find(({ id }) => id === 'journals'),
        'the check',
      ).run(await opened(client, null));
      await client.query('rollback');
      return [...new Set(looked.findings.map(({ code }) => code))].toSorted();
    };
    expect(await found()).toEqual([]);
    expect(
      await found('update journal_line set debit_minor = debit_minor + 1 where debit_minor > 0'),
    ).toEqual(['journal_ledger_differs', 'journal_unbalanced']);
    expect(await found("update journal_line set account_kind = 'fees' where account_kind = 'tax'")).toEqual([
      'journal_ledger_differs',
    ]);
    expect(
      await found(
        'delete from journal_exported where transaction_id = (select min(transaction_id) from journal_exported)',
      ),
    ).toEqual(['journal_ledger_differs']);
    expect(
      await found(
        `insert into journal_exported select id, (select id from journal_export where withdrawn_at is not null) from ledger_transaction where id not in (select transaction_id from journal_exported) limit 1`,
      ),
    ).toContain('journal_withdrawn_counts');
    await client.end();
  });
});

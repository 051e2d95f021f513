// Month packs: their content equals the API’s, and a repeat gives the same bytes; stopped, killed, requested
// twice, and requested by other users.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { childEnvironment } from '#platform/server/config.ts';
import { pdfPages } from '../support/pdf.ts';
import { unzip } from '../support/unzip.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { packs, type Pack } from '#features/reporting/packs/contract.ts';
import { tidyPacks } from '#features/reporting/packs/server/index.ts';
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
  pay,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

type Manifest = {
  month: string;
  organization: unknown;
  madeAt: string;
  version: string;
  counts: Record<string, number>;
  totals: {
    currency: string;
    bills: Record<string, unknown>;
    creditNotes: Record<string, unknown>;
    voided: Record<string, unknown>;
  }[];
  files: { name: string; size: number; sha256: string }[];
};

let one: Customer;
let two: Customer;
let crowd: Customer;

const finished = async (pack: Pack, list = packs.listPacks, token = at.admin): Promise<Pack> =>
  vi.waitFor(
    async () => {
      const found = (await at.console.ok(list, {}, { token })).items.find((each) => each.id === pack.id);
      if (!found || found.state === 'waiting' || found.state === 'running') throw new Error('not yet');
      return found;
    },
    { timeout: 50_000, interval: 50 },
  );
const bytesOf = async (pack: Pack, route = packs.downloadPack, token = at.admin): Promise<Buffer> =>
  Buffer.from(
    ((await at.console.ok(route, { packId: pack.id }, { token })) as unknown as { body: Uint8Array }).body,
  );
const made = async (month: BillingMonth): Promise<Pack> =>
  finished(await at.console.ok(packs.makePack, { month }, { token: at.admin }));
const folder = (): string => join(at.console.app.config.dataDir, 'packs');
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const manifestOf = (files: ReadonlyMap<string, Buffer>): Manifest =>
  JSON.parse(files.get('manifest.json')?.toString('utf8') ?? '') as Manifest;
const rowsOf = (bytes: Buffer | undefined): Record<string, string>[] =>
  parse(bytes ?? '', { bom: true, columns: true }) as Record<string, string>[];
const sum = (rows: readonly Record<string, string>[], column: string): string =>
  sumDecimals(rows.map((row) => decimal(row[column] || '0'))).toFixed();

beforeAll(async () => {
  await startBilling();
  one = await customer(fee('100'), fee('7'));
  two = await customer(fee('250'));
  crowd = await customer(fee('31'));
  await at.console.ok(identity.updateOrganization, { language: 'zhTW' } as never, { token: one.token });
  await at.console.ok(identity.updateOrganization, { taxId: '12345675', language: 'enUS' } as never, {
    token: two.token,
  });
  await at.console.ok(identity.updateOrganization, { language: 'zhTW' } as never, { token: crowd.token });
  await moveTo('2024-10-05T00:00:00Z');
  await use(one, 'a', '10.4', '2024-09-05T00:00:00Z');
  await close(september);
  await topUp(one, twd(500));
  await pay(one, await billOf(one), twd(40));
  await credit(await billOf(one), net(30));
  await at.console.ok(
    credits.voidBill,
    { billId: (await billOf(crowd)).id, reason: 'wrong buyer' },
    { token: at.admin },
  );
  const { items } = await at.console.ok(billing.listBills, {}, { token: crowd.token });
  await at.console.ok(
    credits.reissueBill,
    { billId: required(items[0], 'the void bill').id },
    { token: at.admin },
  );
  await moveTo('2024-11-05T00:00:00Z');
  await close(october);
});

describe('R-BILL-04: the month pack', () => {
  let first: Pack;
  let files: Map<string, Buffer>;

  it('contains every bill as the API renders it, in its organization’s language, and a manifest of every file', async () => {
    first = await made(september);
    expect(first).toMatchObject({
      state: 'done',
      documentsTotal: 4,
      documentsDone: 4,
      askedBy: 'Operator',
      problem: null,
    });
    const archive = await bytesOf(first);
    expect(first.sizeBytes).toBe(archive.length);
    files = unzip(archive);
    expect([...files.keys()]).toEqual([
      'bills/B-202409-000001.pdf',
      'bills/B-202409-000002.pdf',
      'bills/B-202409-000003.pdf',
      'bills/B-202409-000004.pdf',
      'bills.csv',
      'focus.csv',
      'ledger.csv',
      'trial-balance.csv',
      'payments.csv',
      'manifest.json',
    ]);
    const manifest = manifestOf(files);
    expect(manifest).toMatchObject({
      month: september,
      organization: null,
      counts: { bills: 4, creditNotes: 0 },
      madeAt: '2024-11-05T00:00:00.000Z',
    });
    expect(manifest.files.map(({ name, size, sha256 }) => [name, size, sha256])).toEqual(
      [...files]
        .filter(([name]) => name !== 'manifest.json')
        .map(([name, bytes]) => [name, bytes.length, digest(bytes)]),
    );
    for (const [who, language] of [
      [one, 'zhTW'],
      [two, 'enUS'],
    ] as const) {
      const bill = await billOf(who);
      const { body } = (await at.console.ok(
        billing.billPdf,
        { billId: bill.id, language },
        { token: who.token },
      )) as unknown as { body: Uint8Array };
      expect(digest(body)).toBe(digest(files.get(`bills/${bill.number}.pdf`) ?? Buffer.alloc(0)));
    }
    expect((await pdfPages(files.get('bills/B-202409-000003.pdf') ?? Buffer.alloc(0)))[0]).toContain(
      '已作廢',
    );
  });

  it('R-BILL-02 a customer gets the valid bills of a year in one archive, each as by itself', async () => {
    for (const [who, language] of [
      [one, 'zhTW'],
      [two, 'enUS'],
    ] as const) {
      const { items } = await at.console.ok(billing.listBills, {}, { token: who.token });
      const valid = items.filter((bill) => bill.state !== 'void');
      expect(valid.length).toBeGreaterThan(0);
      const { body } = (await at.console.ok(
        billing.billsOfYear,
        { year: '2024', language },
        { token: who.token },
      )) as unknown as { body: Uint8Array };
      const held = unzip(Buffer.from(body));
      expect([...held.keys()]).toEqual(valid.map(({ number }) => `${number}.pdf`).toSorted());
      for (const bill of valid) {
        const single = (await at.console.ok(
          billing.billPdf,
          { billId: bill.id, language },
          { token: who.token },
        )) as unknown as { body: Uint8Array };
        expect(digest(held.get(`${bill.number}.pdf`) ?? Buffer.alloc(0))).toBe(digest(single.body));
      }
    }
    const none = await at.console.call(billing.billsOfYear, { year: '2023' }, { token: one.token });
    expect([none.status, none.envelope.code]).toEqual([404, 'billing.no_bills_of_year']);
  });

  it('has tables equal to the API’s, which add up to bills less reversals', async () => {
    for (const [name, format] of [
      ['bills.csv', 'csv'],
      ['focus.csv', 'focus'],
    ] as const) {
      const { body } = (await at.console.ok(
        billing.adminExportBills,
        { format, month: september, language: 'enUS' },
        { token: at.admin },
      )) as unknown as { body: Uint8Array };
      expect(files.get(name)?.equals(Buffer.from(body))).toBe(true);
    }
    const focus = rowsOf(files.get('focus.csv'));
    const [totals] = manifestOf(files).totals;
    // The void bill and its reversal sum to zero.
    const standing = [
      ...(await at.console.ok(billing.adminListBills, { month: september }, { token: at.admin })).items,
    ].filter((bill) => bill.state !== 'void');
    expect(sum(focus, 'BilledCost')).toBe(String(standing.reduce((all, bill) => all + bill.total.minor, 0n)));
    expect(totals).toMatchObject({
      currency: 'TWD',
      bills: { count: 4 },
      voided: { count: 1 },
      creditNotes: { count: 0 },
    });
    const october_ = unzip(await bytesOf(await made(october)));
    const note = (await at.console.ok(credits.adminListCreditNotes, {}, { token: at.admin })).items[0];
    const ofNote = rowsOf(october_.get('focus.csv')).filter((row) => row['InvoiceId'] === note?.number);
    expect([sum(ofNote, 'BilledCost'), note?.number]).toEqual([
      `-${moneyText(note?.total ?? money(0n, 'TWD'))}`,
      'C-202410-000001',
    ]);
    expect(
      new Set(
        ofNote.map((row) => `${row['ChargeClass']} ${row['BillingPeriodStart']} ${row['ChargePeriodStart']}`),
      ),
    ).toEqual(new Set(['Correction 2024-09-30T16:00:00Z 2024-08-31T16:00:00Z']));
    expect([...october_.keys()].filter((name) => name.startsWith('credit-notes/'))).toEqual([
      'credit-notes/C-202410-000001.pdf',
    ]);
    // October’s payments: a top-up, and 40 of it for the bill. The ledger of October has all of them, and
    // debits equal credits.
    expect(
      rowsOf(october_.get('payments.csv')).map((row) => [
        row['Kind'],
        row['Method'],
        row['Amount'],
        row['Bill number'],
      ]),
    ).toEqual([
      ['Payment', 'Top-up by transfer', '500', ''],
      ['Payment', 'Account balance', '40', (await billOf(one)).number],
    ]);
    const ledger = rowsOf(october_.get('ledger.csv'));
    expect(sum(ledger, 'Debit')).toBe(sum(ledger, 'Credit'));
    const balance = rowsOf(october_.get('trial-balance.csv'));
    expect([
      sum(balance, 'Debit'),
      balance.find((row) => row['Account'] === 'Cash and bank')?.['Debit'],
    ]).toEqual([sum(balance, 'Credit'), '500']);
  });

  it('made again has the same bytes except the time in its manifest, even if the seller was renamed', async () => {
    await pay(two, await billOf(two, october));
    at.console.clock.advance(60_000);
    await at.console.ok(administration.updateSettings, { companyPrefix: 'Another Cloud' } as never, {
      token: at.admin,
    });
    const again = unzip(await bytesOf(await made(september)));
    await at.console.ok(administration.updateSettings, { companyPrefix: 'Formosa Cloud' } as never, {
      token: at.admin,
    });
    expect([...again.keys()]).toEqual([...files.keys()]);
    for (const [name, bytes] of again)
      if (name !== 'manifest.json')
        expect(digest(bytes), name).toBe(digest(files.get(name) ?? Buffer.alloc(0)));
    expect({ ...manifestOf(again), madeAt: '' }).toEqual({ ...manifestOf(files), madeAt: '' });
  });

  it('is complete according to `npm run verify -- --pack`, which detects any change', async () => {
    const archive = await bytesOf(first);
    const path = join(tmpdir(), `pack-${process.pid}.zip`);
    const check = async (bytes: Buffer): Promise<number | null> => {
      writeFileSync(path, bytes);
      const child = spawn(
        process.execPath,
        [resolve(import.meta.dirname, '../../verify/verify.ts'), '--pack', path],
        { env: childEnvironment(), stdio: 'ignore' },
      );
      return ((await once(child, 'exit')) as [number | null])[0];
    };
    const changed = Buffer.from(archive);
    const place = changed.indexOf('%PDF') + 100;
    changed.writeUInt8((changed[place] ?? 0) ^ 1, place);
    expect(await check(archive)).toBe(0);
    expect(await check(changed)).toBe(1);
    expect(await check(archive.subarray(0, archive.length - 30))).toBe(2);
  });

  it('is a file that nobody else can read, deleted after its retention', async () => {
    const names = readdirSync(folder());
    expect(names).toHaveLength(3);
    for (const name of names)
      expect([/^[0-9a-f]{40}\.zip$/.test(name), statSync(join(folder(), name)).mode & 0o777]).toEqual([
        true,
        0o600,
      ]);
    await moveTo('2024-11-12T00:00:30Z');
    await tidyPacks(at.console.app);
    expect(readdirSync(folder())).toHaveLength(1);
    expect(
      (await at.console.call(packs.downloadPack, { packId: first.id }, { token: at.admin })).envelope.code,
    ).toBe('packs.not_there');
  });

  it('of an organization is made by itself; another organization’s does not exist', async () => {
    const own = await finished(
      await at.console.ok(packs.makeOwnPack, { month: september }, { token: one.token }),
      packs.listOwnPacks,
      one.token,
    );
    const inside = unzip(await bytesOf(own, packs.downloadOwnPack, one.token));
    expect([...inside.keys()].filter((name) => name.endsWith('.pdf'))).toEqual([
      `bills/${(await billOf(one)).number}.pdf`,
    ]);
    expect(new Set(rowsOf(inside.get('focus.csv')).map((row) => row['BillingAccountId']))).toEqual(
      new Set([one.organizationId]),
    );
    expect(inside.get('trial-balance.csv')?.toString('utf8')).not.toMatch(/Revenue|Cash/);
    expect(manifestOf(inside).organization).toMatchObject({ id: one.organizationId });
    const absent = `pak_${'0'.repeat(26)}` as Id<'pak'>;
    for (const [route, token] of [
      [packs.downloadOwnPack, two.token],
      [packs.stopOwnPack, two.token],
      [packs.downloadPack, at.admin],
      [packs.stopPack, at.admin],
    ] as const) {
      for (const packId of [own.id, absent]) {
        const answer = await at.console.call(route, { packId }, { token });
        expect([answer.status, answer.envelope.code]).toEqual([404, 'packs.not_found']);
      }
    }
    expect((await at.console.ok(packs.listOwnPacks, {}, { token: two.token })).items).toEqual([]);
  });

  it('requested twice at once is made once, and rejected for a month that is not over', async () => {
    const both = await Promise.all(
      [1, 2].map(() => at.console.ok(packs.makePack, { month: october }, { token: at.admin })),
    );
    expect(both[0]?.id).toBe(both[1]?.id);
    const other = await at.console.ok(packs.makePack, { month: september }, { token: at.admin });
    expect(
      (await Promise.all([...both, other].map((pack) => finished(pack)))).map((pack) => pack.state),
    ).toEqual(['done', 'done', 'done']);
    expect(
      (await at.console.call(packs.makePack, { month: '2024-11' as BillingMonth }, { token: at.admin }))
        .envelope.code,
    ).toBe('packs.month_not_over');
  });

  it('that was killed is shown as interrupted, its partial file deleted, and it can be made again; a stopped one leaves nothing', async () => {
    const half = `${'ab'.repeat(20)}.zip`;
    mkdirSync(folder(), { recursive: true });
    writeFileSync(join(folder(), half), 'PK');
    await sql`insert into month_pack (id, month, language, state, asked_at, asked_by, heard_at, documents_total, documents_done, file_name)
      values ('pak_00000000000000000000000001', '2024-08', 'zhTW', 'running', '2024-11-11', 'x', '2024-11-11', 9, 4, ${half})`.execute(
      db(),
    );
    const shown = (await at.console.ok(packs.listPacks, {}, { token: at.admin })).items.find(
      (pack) => pack.month === '2024-08',
    );
    expect(shown).toMatchObject({ state: 'interrupted', documentsDone: 4 });
    const anew = await made('2024-08' as BillingMonth);
    expect(anew.state).toBe('done');
    expect(readdirSync(folder())).not.toContain(half);
    expect(
      (await at.console.ok(packs.listPacks, {}, { token: at.admin })).items.find(
        (pack) => pack.id === shown?.id,
      ),
    ).toMatchObject({ state: 'failed', problem: 'It was interrupted. Create it again.' });

    const before = readdirSync(folder());
    const stopped = await at.console.ok(packs.makePack, { month: september }, { token: at.admin });
    await at.console.ok(packs.stopPack, { packId: stopped.id }, { token: at.admin });
    expect(await finished(stopped)).toMatchObject({ state: 'stopped' });
    expect(readdirSync(folder())).toEqual(before);
    expect(
      (await at.console.call(packs.stopPack, { packId: stopped.id }, { token: at.admin })).envelope.code,
    ).toBe('packs.not_running');
  });
});

describe('R-BILL-01: tax by organization', () => {
  const fields = async (taxId: string, language: 'zhTW' | 'enUS'): Promise<string[]> =>
    (
      (await at.console.call(identity.updateOrganization, { taxId } as never, { token: two.token, language }))
        .envelope.errors ?? []
    ).map((error) => error.message);

  it.each(['04595257', '12345675', '22099131'])('%s is a 統一編號', async (taxId) =>
    expect(await fields(taxId, 'zhTW')).toEqual([]),
  );
  it.each(['12345678', '00000000'])('%s is rejected in both languages', async (taxId) => {
    const [zh, en] = [await fields(taxId, 'zhTW'), await fields(taxId, 'enUS')];
    expect([zh.join(''), en.join('')]).toEqual([
      expect.stringMatching(/統一編號/),
      expect.stringMatching(/^[ -~’]+$/),
    ]);
  });

  it('standard tax is exact to the dollar, zero and exempt have none; a business sees net amounts, a person prices with tax', async () => {
    const plain = await customer(fee('250'));
    const zero = await customer(fee('999'));
    const exempt = await customer(fee('333'));
    const set = (one_: Customer, taxStatus: 'zero' | 'exempt') =>
      at.console.ok(
        identity.adminUpdateOrganization,
        { organizationId: one_.organizationId, taxStatus },
        { token: at.admin },
      );
    await set(zero, 'zero');
    await set(exempt, 'exempt');
    expect(
      (
        await at.console.call(
          identity.adminUpdateOrganization,
          { organizationId: zero.organizationId, taxStatus: 'exempt' },
          { token: zero.token },
        )
      ).status,
    ).toBe(403);
    await at.console.ok(identity.updateOrganization, { taxId: '22099131' } as never, { token: plain.token });
    await moveTo('2024-12-05T00:00:00Z');
    await close('2024-11' as BillingMonth);
    const amountsAndText = async (one_: Customer): Promise<[string, string]> => {
      const bill = await billOf(one_, '2024-11' as BillingMonth);
      const { body } = (await at.console.ok(
        billing.billPdf,
        { billId: bill.id, language: 'zhTW' },
        { token: one_.token },
      )) as unknown as { body: Uint8Array };
      return [
        `${bill.net.minor} ${bill.taxRate} ${bill.tax.minor} ${bill.total.minor} ${bill.buyer.taxStatus ?? 'standard'}`,
        (await pdfPages(body))[0] ?? '',
      ];
    };
    // 12.5 of tax is 13: half away from zero.
    const [[business, ofBusiness], [zeroed, ofZero], [exempted, ofExempt], [person, ofPerson]] = [
      await amountsAndText(plain),
      await amountsAndText(zero),
      await amountsAndText(exempt),
      await amountsAndText(one),
    ];
    expect([business, zeroed, exempted]).toEqual([
      '250 5 13 263 standard',
      '999 0 0 999 zero',
      '333 0 0 333 exempt',
    ]);
    expect(ofBusiness).toContain('統一編號 22099131');
    expect(ofBusiness).not.toContain('含稅金額');
    expect(person).toBe('107 5 5 112 standard');
    expect(ofPerson).toContain('含稅金額');
    expect([ofZero.includes('稅額（零稅率） NT$0'), ofExempt.includes('稅額（免稅） NT$0')]).toEqual([
      true,
      true,
    ]);
  });
});

// Settings of e-invoices, choices of customers, bills without e-invoices, and deadlines (T-EINV).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import {
  addTrack,
  asAdmin,
  companyTaxId,
  coverOf,
  fails,
  invoiceOf,
  invoicesOf,
  list,
  run,
  save,
  startEinvoices,
  way,
} from '../support/einvoices-console.ts';
import {
  at,
  billOf,
  close,
  customer,
  db,
  fee,
  moveTo,
  october,
  september,
  type Customer,
} from '../support/corrections.ts';

const made = {} as Record<'one' | 'two' | 'dollars', Customer>;
const settings = () => at.console.ok(einvoices.getEinvoiceSettings, {}, asAdmin());
const choose = (one: Customer, choice: object) =>
  at.console.call(
    einvoices.saveEinvoicePreference,
    { keep: 'mobile', code: '/ABC1234', ...choice },
    { token: one.token },
  );

beforeAll(async () => {
  await startEinvoices();
  made.one = await customer(fee('1000'));
  made.two = await customer(fee('500'));
  made.dollars = await customer(fee('10', 'USD'));
});

describe('T-EINV: settings', () => {
  it('store keys encrypted, never return them, keep them when left out, and delete them with a change of account', async () => {
    const account = { provider: 'ecpay', merchantId: '2000132' };
    await expect(save({ ...account })).rejects.toThrow();
    expect(await save({ ...account, hashKey: 'ejCk326UnaZWKisg', hashIv: 'q9jcZX8Ib9LM8wYk' })).toMatchObject(
      { hasKeys: true, needsTracks: false },
    );
    expect(JSON.stringify(await settings())).not.toContain('ejCk326UnaZWKisg');
    const { rows } = await sql<{
      value: string;
    }>`select value::text from setting where key = 'einvoices'`.execute(db());
    expect(rows[0]?.value).toContain('2000132');
    expect(rows[0]?.value).not.toContain('ejCk326UnaZWKisg');
    expect(await save({ ...account, lowPercent: 30 })).toMatchObject({ hasKeys: true, lowPercent: 30 });
    const other = at.console.call(
      einvoices.saveEinvoiceSettings,
      { ...(await stored()), ...account, merchantId: '3000000' } as never,
      asAdmin(),
    );
    expect(await fails(other)).toBe('hashKey: einvoices.keys_missing');
    const wrong = at.console.call(
      einvoices.saveEinvoiceSettings,
      { ...(await stored()), qrKey: 'not hexadecimal' } as never,
      asAdmin(),
    );
    expect(await fails(wrong)).toBe('qrKey: einvoices.qr_key_wrong');
    await save({ qrKey: '0123456789abcdef0123456789ABCDEF' });
    expect((await settings()).hasQrKey).toBe(true);
  });
  const stored = async () => {
    const { hasKeys: _keys, hasQrKey: _qr, seller: _seller, needsTracks: _needs, ...rest } = await settings();
    return rest;
  };
});

describe('T-EINV: choices of customers', () => {
  it('an invalid code is rejected at its field, and codes are stored in capitals', async () => {
    expect(await fails(choose(made.one, { code: 'ABC1234' }))).toBe('code: einvoices.mobile_wrong');
    expect(await fails(choose(made.one, { keep: 'donate', code: '12' }))).toBe(
      'code: einvoices.donation_wrong',
    );
    expect((await choose(made.one, { code: ' /abc 1234' })).data).toMatchObject({
      keep: 'mobile',
      code: '/ABC1234',
      isOn: true,
      // Turnkey has no member carrier.
      keeps: ['paper', 'mobile', 'citizen', 'donate'],
    });
  });

  it('a bill uses the choice; its own buyer can be changed until something was sent', async () => {
    await moveTo('2024-10-05T03:00:00Z');
    await close(september);
    await run();
    const bill = await billOf(made.one);
    expect(await coverOf(bill)).toMatchObject({
      canChoose: true,
      items: [{ state: 'pending', carrier: { kind: 'mobile', code: '/ABC1234' } }],
    });
    const chosen = (more: object) =>
      at.console.call(
        einvoices.saveBillBuyer,
        { billId: bill.id, taxId: companyTaxId, name: '一號公司', keep: 'member', code: '', ...more },
        { token: made.one.token },
      );
    expect(await fails(chosen({ taxId: '12345678' }))).toBe('taxId: einvoices.tax_id_wrong');
    expect((await chosen({})).data).toMatchObject({
      items: [{ kind: 'company', taxId: companyTaxId, carrier: null, isPrinted: true }],
    });
    await addTrack('2024-09', '00000000', '00000049');
    await run();
    expect(await invoiceOf(made.one)).toMatchObject({
      state: 'uploading',
      buyerName: '一號公司',
      net: { minor: 1000n },
      shownTax: { minor: 50n },
    });
    expect(await fails(chosen({}))).toBe('einvoices.sent_already');
    const { id: einvoiceId, number } = await invoiceOf(made.one);
    const proof = (one: Customer) =>
      at.console.call(einvoices.einvoiceProof, { einvoiceId }, { token: one.token });
    const printed = await proof(made.one);
    expect(printed.data).toMatchObject({ mediaType: 'application/pdf' });
    expect(printed.data.fileName).toContain(`${number}.pdf`);
    expect((await proof(made.two)).status).toBe(404);
    // A bill of another organization does not exist for them.
    const foreign = at.console.call(
      einvoices.saveBillBuyer,
      { billId: bill.id, taxId: '', name: '', keep: 'paper', code: '' },
      { token: made.two.token },
    );
    expect((await foreign).status).toBe(404);
  });

  it('bills in other currencies get none, and older bills get one only if an Admin says so', async () => {
    const dollars = await billOf(made.dollars);
    expect(await coverOf(dollars)).toMatchObject({ isCovered: false, items: [] });
    const cover = (billId: typeof dollars.id) => at.console.call(einvoices.coverBill, { billId }, asAdmin());
    expect(await fails(cover(dollars.id))).toBe('einvoices.only_twd');
    await save({ provider: 'none' });
    await moveTo('2024-11-04T03:00:00Z');
    await close(october);
    const before = await billOf(made.two, october);
    expect(await fails(cover(before.id))).toBe('einvoices.off');
    await save();
    await addTrack('2024-11', '00000000', '00000049', 'CD');
    await run();
    expect(await invoicesOf(before)).toEqual([]);
    expect((await cover(before.id)).status).toBe(200);
    await run();
    expect((await invoicesOf(before)).map(({ number }) => number)).toEqual(['CD00000000']);
    expect(await fails(cover(before.id))).toBe('einvoices.covered_already');
  });
});

describe('T-EINV: the upload deadline', () => {
  it('is announced to operators once when the Ministry does not have an invoice yet', async () => {
    way.provider.upload = { state: 'uploading' };
    await moveTo('2024-11-05T10:00:00Z');
    await run();
    const warnings = async () =>
      (await at.console.ok(notifications.listNotifications, { limit: 100 }, asAdmin())).items.filter((item) =>
        item.message.startsWith('The upload deadline is close for e-invoices'),
      ).length;
    const earlier = await warnings();
    // 48 hours for consumers, warned 12 hours before.
    await moveTo('2024-11-05T16:00:00Z');
    await run();
    expect(await warnings()).toBe(earlier + 1);
    await run();
    expect(await warnings()).toBe(earlier + 1);
    expect((await list()).every(({ state }) => state !== 'failed')).toBe(true);
  });
});

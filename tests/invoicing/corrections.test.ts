// Corrections of issued bills: credited, voided, twice, concurrently, paid or not, and exact to the last
// minor unit.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits, type CreditAsk } from '#features/invoicing/credits/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  close,
  credit,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  net,
  november,
  october,
  pay,
  september,
  startBilling,
  state,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

const december = '2024-12' as BillingMonth;
let plain: Customer,
  partly: Customer,
  paid: Customer,
  raced: Customer,
  dollars: Customer,
  refunded: Customer,
  free: Customer;

beforeAll(async () => {
  await startBilling();
  // 730 with 37 of tax: 767.
  plain = await customer(fee('730'));
  partly = await customer(fee('730'));
  paid = await customer(fee('500'), fee('230'));
  raced = await customer(fee('730'));
  dollars = await customer(fee('99.99', 'USD'));
  refunded = await customer(fee('0'));
  free = await customer(fee('0'));
  await moveTo('2024-09-20T00:00:00Z');
  await use(refunded, 'wrong', '1000', '2024-09-10T00:00:00Z');
  await use(free, 'one', '0', '2024-09-10T00:00:00Z');
  await at.console.ok(
    identity.updateOrganization,
    { purchaseOrder: 'PO-2024/77', billingReference: '專案 A' },
    { token: dollars.token },
  );
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
});

describe('R-BILL-05: credit notes', () => {
  it('reduce the amount due; the preview equals the result exactly', async () => {
    const bill = await billOf(plain);
    expect(bill).toMatchObject({ total: twd(767), due: twd(767), credited: twd(0) });
    const what: CreditAsk = { kind: 'percent', percent: '10' };
    const preview = await at.console.ok(
      credits.previewCredit,
      { billId: bill.id, what },
      { token: at.admin },
    );
    expect(preview).toMatchObject({
      net: twd(73),
      tax: twd(4),
      total: twd(77),
      toDue: twd(77),
      toBalance: twd(0),
      dueBefore: twd(767),
      dueAfter: twd(690),
    });
    expect(preview.entries).toEqual([
      { accountKind: 'revenue', debit: twd(73), credit: null },
      { accountKind: 'tax', debit: twd(4), credit: null },
      { accountKind: 'receivable', debit: null, credit: twd(77) },
    ]);
    const { status, data } = await credit(bill, what, 'slow on Monday');
    expect([status, data.number, data.billNumber, data.reason]).toEqual([
      201,
      'C-202410-000001',
      bill.number,
      'slow on Monday',
    ]);
    expect(data).toMatchObject({
      net: preview.net,
      tax: preview.tax,
      toDue: preview.toDue,
      toBalance: preview.toBalance,
    });
    expect(await state(plain, bill)).toEqual(['open', 0n, 77n, 690n]);
    const { items } = await at.console.ok(
      books.listTransactions,
      { organizationId: plain.organizationId, limit: 1 },
      { token: at.admin },
    );
    expect(items).toMatchObject([
      {
        kind: 'credit_note',
        reference: { id: data.id, billId: bill.id, billNumber: data.number },
        entries: [
          { accountKind: 'revenue' },
          { accountKind: 'tax' },
          { accountKind: 'receivable', credit: twd(77) },
        ],
      },
    ]);
    expect(
      (await at.console.ok(notifications.listNotifications, {}, { token: plain.token })).items[0]?.message,
    ).toContain('C-202410-000001');
    // The amount due can be paid, and no more.
    await topUp(plain, twd(1000));
    expect((await pay(plain, bill, twd(691))).envelope.code).toBe('payments.amount_above_due');
    expect((await pay(plain, bill)).data.amount).toEqual(twd(690));
    expect(await state(plain, bill)).toEqual(['paid', 690n, 77n, 0n]);
    await expectSoundBooks();
  });

  it('return what was paid to the balance; the last one takes the remainder', async () => {
    const bill = await billOf(partly);
    await topUp(partly, twd(700));
    await pay(partly, bill, twd(700));
    const first = await credit(bill, net(100));
    // 37 × 100 / 730 = 5.07; 67 was due.
    expect(first.data).toMatchObject({ total: twd(105), toDue: twd(67), toBalance: twd(38) });
    expect(await state(partly, bill)).toEqual(['paid', 700n, 67n, 0n]);
    expect(await balanceOf(partly)).toBe(38n);
    expect((await credit(bill, net(631))).envelope.code).toBe('credits.above_rest');
    expect((await credit(bill, { kind: 'rest' })).data).toMatchObject({
      net: twd(630),
      tax: twd(32),
      toDue: twd(0),
      toBalance: twd(662),
    });
    expect(await balanceOf(partly)).toBe(700n);
    expect((await credit(bill, { kind: 'rest' })).envelope.code).toBe('credits.nothing_left');
    const history = await at.console.ok(credits.billHistory, { billId: bill.id }, { token: partly.token });
    expect([history.credited, history.returned, history.creditNotes.length]).toEqual([twd(767), twd(700), 2]);
    await expectSoundBooks();
  });

  it('of single lines never exceed the rest of each line', async () => {
    const bill = await billOf(paid);
    await topUp(paid, twd(767));
    await pay(paid, bill);
    const lines = (...amounts: [string, number][]): CreditAsk => ({
      kind: 'lines',
      lines: amounts.map(([lineId, minor]) => ({ lineId, net: twd(minor) })),
    });
    expect((await credit(bill, lines(['1', 501]))).envelope.code).toBe('credits.above_rest');
    expect((await credit(bill, lines(['3', 1]))).envelope.code).toBe('credits.line_unknown');
    expect((await credit(bill, lines(['1', 500], ['2', 30]))).data).toMatchObject({
      net: twd(530),
      toDue: twd(0),
    });
    expect((await credit(bill, lines(['1', 1]))).envelope.code).toBe('credits.above_rest');
    const { lines: left } = await at.console.ok(
      credits.adminBillHistory,
      { billId: bill.id },
      { token: at.admin },
    );
    expect(left.map((line) => [line.stored.minor, line.rest.minor])).toEqual([
      [500n, 0n],
      [230n, 200n],
    ]);
    await expectSoundBooks();
  });

  it('of the same rest: one of 50 concurrent ones succeeds, and a repeated key adds nothing', async () => {
    const bill = await billOf(raced);
    const answers = await Promise.all(Array.from({ length: 50 }, () => credit(bill, net(700))));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.envelope.code === 'credits.above_rest')).toHaveLength(49);
    const headers = { 'idempotency-key': 'credit-1' };
    const again = await Promise.all(
      Array.from({ length: 4 }, () =>
        at.console.call(
          credits.issueCredit,
          { billId: bill.id, reason: 'x', what: net(1) },
          { token: at.admin, headers },
        ),
      ),
    );
    expect(new Set(again.map((answer) => answer.data.id)).size).toBe(1);
    await expectSoundBooks();
  });

  it('and a concurrent payment cannot both take the same amount', async () => {
    const bill = await billOf(raced);
    const { due } = bill;
    await topUp(raced, due);
    const done = await Promise.all([
      pay(raced, bill, due),
      credit(bill, { kind: 'rest' }),
      pay(raced, bill, due),
      credit(bill, { kind: 'rest' }),
      pay(raced, bill, due),
    ]);
    const [isPaid, note] = [
      done.some((answer, index) => index % 2 === 0 && answer.status === 201),
      done.find((answer, index) => index % 2 === 1 && answer.status === 201),
    ];
    expect(note).toBeDefined();
    // In either order, paid and credited add up to the total, and the money is in the balance or was never
    // taken.
    const [now, paidMinor, credited, left] = await state(raced, bill);
    expect([now, paidMinor + credited, left]).toEqual(['paid', bill.total.minor, 0n]);
    expect(paidMinor > 0n).toBe(isPaid);
    expect(await balanceOf(raced)).toBe(due.minor);
    await expectSoundBooks();
  });

  it('have the decimals of their currency', async () => {
    const bill = await billOf(dollars);
    expect(bill.total).toEqual(money(10499n, 'USD'));
    expect((await credit(bill, net(1))).envelope.code).toBe('credits.currency_differs');
    expect((await credit(bill, { kind: 'percent', percent: '33.33' })).data).toMatchObject({
      net: money(3333n, 'USD'),
      tax: money(167n, 'USD'),
    });
    expect((await credit(bill, { kind: 'rest' })).data).toMatchObject({
      net: money(6666n, 'USD'),
      tax: money(333n, 'USD'),
    });
    await expectSoundBooks();
  });

  it('are PDF and CSV files for members of the organization only, with the same bytes each time', async () => {
    const {
      items: [note],
    } = await at.console.ok(credits.listCreditNotes, {}, { token: dollars.token });
    if (!note) throw new Error('no note');
    const pdf = () =>
      at.console.ok(
        credits.creditNotePdf,
        { creditNoteId: note.id, language: 'zhTW' },
        { token: dollars.token },
      );
    const [one, two] = [await pdf(), await pdf()] as unknown as { body: Uint8Array; fileName: string }[];
    expect(one?.fileName).toContain(`${note.number}.pdf`);
    expect(Buffer.from(one?.body ?? []).equals(Buffer.from(two?.body ?? [1]))).toBe(true);
    const csv = (await at.console.ok(
      credits.creditNoteCsv,
      { creditNoteId: note.id, language: 'enUS' },
      { token: dollars.token },
    )) as unknown as { body: Uint8Array };
    expect(new TextDecoder().decode(csv.body)).toContain(
      `${note.number},${note.billNumber},2024-09,S5-0,Base fee,66.66,3.33,69.99,USD,goodwill`,
    );
    expect(
      (await at.console.call(credits.creditNotePdf, { creditNoteId: note.id }, { token: plain.token }))
        .envelope.code,
    ).toBe('credits.note_not_found');
    const all = await at.console.ok(
      credits.adminListCreditNotes,
      { organizationId: dollars.organizationId, sort: '-total' },
      { token: at.admin },
    );
    expect(all.items.map((each) => each.total.minor)).toEqual([6999n, 3500n]);
    expect((await at.console.ok(credits.listCreditNotes, {}, { token: free.token })).total).toBe(0);
    expect(
      (await at.console.ok(credits.adminListCreditNotes, { q: note.number }, { token: at.admin })).items,
    ).toEqual([note]);
  });
});

describe('R-BILL-05: voiding bills', () => {
  it('reverses the rest: of unpaid, partly paid, paid and credited bills', async () => {
    const [unpaid, half] = [await customer(fee('730')), await customer(fee('730'))];
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    const [one, two] = [await billOf(unpaid, october), await billOf(half, october)];
    expect(await at.console.ok(credits.previewVoid, { billId: one.id }, { token: at.admin })).toMatchObject({
      total: twd(767),
      toDue: twd(767),
      toBalance: twd(0),
      dueAfter: twd(0),
    });
    const voided = await Promise.all(
      Array.from({ length: 5 }, () =>
        at.console.call(credits.voidBill, { billId: one.id, reason: 'wrong buyer' }, { token: at.admin }),
      ),
    );
    expect(voided.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await state(unpaid, one)).toEqual(['void', 0n, 0n, 0n]);
    await topUp(half, twd(300));
    await pay(half, two, twd(300));
    await credit(two, net(500));
    expect(await state(half, two)).toEqual(['paid', 300n, 467n, 0n]);
    expect(await balanceOf(half)).toBe(58n);
    expect(await at.console.ok(credits.previewVoid, { billId: two.id }, { token: at.admin })).toMatchObject({
      net: twd(230),
      tax: twd(12),
      toDue: twd(0),
      toBalance: twd(242),
    });
    await at.console.ok(credits.voidBill, { billId: two.id, reason: 'all wrong' }, { token: at.admin });
    expect(await balanceOf(half)).toBe(300n);
    expect((await credit(two, net(1))).envelope.code).toBe('billing.bill_void');
    expect((await pay(half, two)).envelope.code).toBe('billing.bill_void');
    const { void: voidEntry } = await at.console.ok(
      credits.billHistory,
      { billId: two.id },
      { token: half.token },
    );
    expect(voidEntry).toMatchObject({ reason: 'all wrong', by: null, total: twd(242), toBalance: twd(242) });
    expect(
      (await at.console.ok(credits.adminBillHistory, { billId: two.id }, { token: at.admin })).void?.by,
    ).toBe('Operator');
    expect(
      (await at.console.ok(billing.listBills, { state: 'void' }, { token: half.token })).items.map((bill) => [
        bill.id,
        bill.paymentStatus,
      ]),
    ).toEqual([[two.id, 'void']]);
    await expectSoundBooks();
    // A close does not bill a closed month again.
    expect(await close(october)).toMatchObject({ issued: 0, parked: 0 });
  });

  it('of zero books nothing', async () => {
    const bill = await billOf(free);
    expect(bill).toMatchObject({ total: twd(0), state: 'paid' });
    expect((await credit(bill, { kind: 'rest' })).envelope.code).toBe('credits.nothing_left');
    expect(
      (await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'of nothing' }, { token: at.admin }))
        .state,
    ).toBe('void');
    expect(
      (
        await at.console.ok(
          books.listTransactions,
          { organizationId: free.organizationId },
          { token: at.admin },
        )
      ).total,
    ).toBe(0);
  });

  it('below zero takes the amount back from the balance as far as possible', async () => {
    await use(refunded, 'taken-back', '0', '2024-09-10T00:00:00Z', {
      type: 'call.void',
      data: { id: 'wrong' },
    });
    await topUp(refunded, twd(1050));
    await pay(refunded, await billOf(refunded));
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    const below = await billOf(refunded, november);
    expect(below).toMatchObject({ total: twd(-1050), state: 'paid', due: twd(0) });
    expect(await balanceOf(refunded)).toBe(1050n);
    expect((await credit(below, { kind: 'rest' })).envelope.code).toBe('credits.nothing_left');
    expect(await at.console.ok(credits.previewVoid, { billId: below.id }, { token: at.admin })).toMatchObject(
      { total: twd(-1050), toDue: twd(0), toBalance: twd(-1050) },
    );
    await at.console.ok(
      credits.voidBill,
      { billId: below.id, reason: 'it was right before' },
      { token: at.admin },
    );
    expect(await balanceOf(refunded)).toBe(0n);
    // What the bill adjusted is recorded again, so the reissued bill is the same.
    const anew = await at.console.ok(credits.reissueBill, { billId: below.id }, { token: at.admin });
    expect(anew.total).toEqual(twd(-1050));
    expect(await balanceOf(refunded)).toBe(1050n);
    // Once spent, the money cannot be taken back.
    await use(refunded, 'more', '500', '2024-12-02T00:00:00Z');
    await moveTo('2025-01-05T00:00:00Z');
    await close(december);
    expect((await pay(refunded, await billOf(refunded, december))).status).toBe(201);
    expect(
      (await at.console.call(credits.voidBill, { billId: anew.id, reason: 'too late' }, { token: at.admin }))
        .envelope.code,
    ).toBe('credits.balance_too_low');
    await expectSoundBooks();
  });
});

describe('the database prevents changes to', () => {
  it('credit notes, voids, replacements, remarks and void bills', async () => {
    const isRefused = (statement: string): Promise<boolean> =>
      sql
        .raw(statement)
        .execute(db())
        .then(
          () => false,
          () => true,
        );
    for (const statement of [
      'update credit_note set total_minor = 1, net_minor = 1, tax_minor = 0, to_due_minor = 1, to_balance_minor = 0',
      'update credit_note set reason = $$x$$',
      'delete from credit_note',
      'truncate credit_note cascade',
      'update credit_note_line set net_minor = 0',
      'delete from credit_note_line',
      'truncate credit_note_line',
      'update bill_void set reason = $$x$$',
      'delete from bill_void',
      'truncate bill_void cascade',
      'delete from bill_replacement',
      'truncate bill_replacement',
      `update bill set state = 'open' where state = 'void'`,
      `update bill set state = 'paid', paid_at = now() where state = 'void'`,
      `update bill set paid_minor = 1 where state = 'void'`,
      `update bill set credited_minor = credited_minor - 1 where credited_minor > 0`,
      `update bill set returned_minor = returned_minor - 1 where returned_minor > 0`,
      `update bill set credited_minor = total_minor + 1 where state <> 'void'`,
      `update bill set state = 'paid', paid_at = now() where state = 'open'`,
    ])
      expect(await isRefused(statement), statement).toBe(true);
  });

  it('the rule that one bill of a month is valid', async () => {
    const insert = (of: string) =>
      sql
        .raw(`insert into bill (id, organization_id, month, currency, series, sequence, number, state, period_start, period_end, issued_at, due_at, net_minor, tax_rate, tax_minor, total_minor, buyer, content_hash)
      select 'bil_x', organization_id, month, currency, 'B-X', 1, 'B-X-1', 'open', period_start, period_end, issued_at, due_at, 0, 0, 0, 0, buyer, content_hash from bill where ${of} limit 1`)
        .execute(db());
    await expect(insert(`state = 'paid'`)).rejects.toThrow(/bill_standing/);
  });
});

describe('the content of a bill', () => {
  it('includes the purchase order on new bills and in their digest, and is unchanged for older ones', async () => {
    const { rows } = await sql<{
      content_hash: string;
      buyer: BillDetail['buyer'];
      number: string;
      organization_id: string;
      month: string;
      currency: Currency;
      tax_rate: string;
      net_minor: bigint;
      tax_minor: bigint;
      total_minor: bigint;
      id: string;
    }>`select * from bill where month = ${september} and organization_id = any(${[plain.organizationId, dollars.organizationId]}::text[]) order by currency`.execute(
      db(),
    );
    for (const bill of rows) {
      const lines = await sql<{
        kind: string;
        subscription_id: string;
        service_name: string;
        price_version_id: string;
        quantity: string;
        unit: string;
        unit_price: string | null;
        exact_amount: string;
        amount_minor: bigint;
      }>`select * from bill_line where bill_id = ${bill.id} order by position`.execute(db());
      const { name, taxId, address, email, purchaseOrder, reference } = bill.buyer;
      const buyer =
        bill.currency === 'TWD'
          ? { name, taxId, address, email }
          : { name, taxId, address, email, purchaseOrder, reference };
      const text = (minor: bigint) => moneyText(money(minor, bill.currency));
      const content = JSON.stringify([
        bill.number,
        bill.organization_id,
        bill.month,
        bill.currency,
        buyer,
        bill.tax_rate,
        text(bill.net_minor),
        text(bill.tax_minor),
        text(bill.total_minor),
        lines.rows.map((line) => [
          line.kind,
          line.subscription_id,
          line.service_name,
          line.price_version_id,
          line.quantity,
          line.unit,
          line.unit_price,
          line.exact_amount,
          text(line.amount_minor),
        ]),
      ]);
      expect(createHash('sha256').update(content).digest('hex'), bill.number).toBe(bill.content_hash);
    }
    expect(rows.map((bill) => bill.buyer.purchaseOrder)).toEqual([undefined, 'PO-2024/77']);
  });

  it('has internal and customer-visible remarks that never change', async () => {
    const bill = await billOf(plain);
    await at.console.ok(
      credits.addBillNote,
      { billId: bill.id, body: 'called them', visibleTo: 'admins' },
      { token: at.admin },
    );
    await at.console.ok(
      credits.addBillNote,
      { billId: bill.id, body: '已於電話說明', visibleTo: 'customer' },
      { token: at.admin },
    );
    expect(
      (await at.console.ok(credits.adminBillHistory, { billId: bill.id }, { token: at.admin })).notes.map(
        (note) => [note.body, note.by],
      ),
    ).toEqual([
      ['called them', 'Operator'],
      ['已於電話說明', 'Operator'],
    ]);
    expect(
      (await at.console.ok(credits.billHistory, { billId: bill.id }, { token: plain.token })).notes.map(
        (note) => [note.body, note.by],
      ),
    ).toEqual([['已於電話說明', null]]);
    for (const statement of [
      'update bill_note set body = $$x$$',
      'delete from bill_note',
      'truncate bill_note',
    ])
      await expect(sql.raw(statement).execute(db())).rejects.toThrow();
    expect(
      (await at.console.call(credits.billHistory, { billId: bill.id }, { token: partly.token })).envelope
        .code,
    ).toBe('billing.bill_not_found');
  });
});

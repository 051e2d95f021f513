// Cards saved with ECPay: entered in its script, reported in any order by browser, server and query, charged
// at most once whatever is lost, late or false, and refunded and removed there.
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { isId } from '#kernel/ids.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { collect, warnOfExpiry } from '#features/receivables/collection/server/index.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { topups } from '#features/receivables/top-ups/contract.ts';
import { topUpBalances } from '#features/receivables/top-ups/server/index.ts';
import type { BoundCard } from '../support/ecpay-cards.ts';
import { registerUser, signIn } from '../support/console.ts';
import { holdJob } from '../support/jobs.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const fake = () => app.ecpay.cards;
const asUser = () => ({ token: app.user.token });
const asAdmin = () => ({ token: app.admin });
const run = () => collect(app.app);
const cards = () => app.ok(collection.listCards, {}, asUser());
const standing = (bill: Bill) => app.ok(collection.billCollection, { billId: bill.id }, asUser());

beforeAll(async () => {
  app = await createPaymentApp(30, { ECPAY_SAVED_CARDS: 'yes' });
  for (const job of ['collect', 'top-up-balances']) await holdJob(app.app, job, job);
  await app.ok(
    collection.saveCollectionPlan,
    { firstDay: 'issue', daysBefore: 3, retryDays: [1, 3] },
    asAdmin(),
  );
  // Only bills that a test selects are charged.
  await sql`insert into bill_collection (bill_id, organization_id, attempts, tries, first_at) select id, organization_id, 0, 0, now() from bill`.execute(
    app.app.database.kysely,
  );
});
afterEach(async () => {
  armFailPoints(app.app, undefined);
  await checkAll();
});
/**
 * No prepared call to ECPay is left, and the books match it; the amounts that verified cards are refunded
 * soon.
 */
async function checkAll(): Promise<void> {
  expect([...fake().charges, ...fake().bindings]).toEqual([]);
  await vi.waitFor(() => app.checkBooks(), { timeout: 20_000 });
}

async function fresh(): Promise<Bill> {
  const bill = app.bill();
  await sql`delete from bill_collection where bill_id = ${bill.id}`.execute(app.app.database.kysely);
  return bill;
}
const chargesOf = async (bill: Bill) =>
  (await standing(bill)).attempts.flatMap(({ paymentId }) => fake().chargesOf(paymentId));
async function after(minutes: number): Promise<void> {
  await app.later(minutes);
  await run();
}

/** Starts an entry; returns its id and the token of its page. */
async function begin(token = app.user.token) {
  const { url } = await app.ok(
    collection.addCard,
    { consents: true, language: 'zhTW', provider: 'ecpay' },
    { token },
  );
  expect(new URL(url).pathname).toBe('/billing/card-entry');
  const setupId = new URL(url).searchParams.get('setup');
  if (!isId('cst', setupId)) throw new Error(`no entry in ${url}`);
  const entry = await app.ok(collection.cardEntry, { setupId }, { token });
  expect(entry.state).toBe('open');
  return { setupId, entry, token };
}
/** Enters a card up to the bank’s page. */
async function typed(card: Partial<BoundCard> = {}, by = app.user.token) {
  const begun = await begin(by);
  const payToken = fake().type(begun.entry.token, card);
  const { url } = await app.ok(collection.enterCard, { setupId: begun.setupId, payToken }, { token: by });
  return { ...begun, url };
}
const post = async (path: string, body: string, type: string) => {
  const answer = await fetch(`${app.address}/api${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': type },
    body,
  });
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') };
};
/** ECPay’s server notifies the console, and the holder’s browser returns with the same data. */
const toReturn = (data: unknown, keys?: { hashKey: string; hashIv: string }) =>
  post('/payments/webhooks/ecpay', fake().envelope(data, keys), 'application/json');
const toResult = (setupId: string, data: unknown, keys?: { hashKey: string; hashIv: string }) =>
  post(
    `/billing/cards/entries/${setupId}/result`,
    new URLSearchParams({ ResultData: fake().envelope(data, keys) }).toString(),
    'application/x-www-form-urlencoded',
  );
const wrongKeys = { hashKey: 'aaaaaaaaaaaaaaaa', hashIv: 'bbbbbbbbbbbbbbbb' };

describe('T-CARD: a card saved with ECPay', () => {
  it('needs consent, is entered in ECPay’s script, and counts once, whoever reports it first and how often', async () => {
    const list = await cards();
    expect(list.providers).toEqual(['stripe', 'ecpay']);
    const refused = await app.call(
      collection.addCard,
      { consents: false, language: 'zhTW', provider: 'ecpay' },
      asUser(),
    );
    expect(refused.envelope).toMatchObject({ errors: [{ field: 'consents' }] });
    const one = await typed();
    expect(one.entry.scripts.map((each) => new URL(each.url).pathname)).toEqual(['/Scripts/sdk-1.0.0.js']);
    const data = fake().confirm(one.url);
    const [first, second] = await Promise.all([toReturn(data), toResult(one.setupId, data)]);
    expect([first.status, first.text, second.status]).toEqual([200, '1|OK', 303]);
    expect(second.to).toBe(`${app.address}/payments/card-returned?card=${one.setupId}`);
    expect([(await toReturn(data)).status, (await toResult(one.setupId, data)).status]).toEqual([200, 303]);
    expect((await cards()).cards).toMatchObject([
      {
        provider: 'ecpay',
        brand: 'visa',
        last4: '2222',
        expMonth: 12,
        expYear: 2030,
        isDefault: true,
      },
    ]);
    const { rows } = await sql<{
      consent: string;
      entry_token: string | null;
    }>`select * from card_setup`.execute(app.app.database.kysely);
    expect(rows[0]?.consent).toContain('我同意');
    expect(rows[0]?.entry_token).toBeNull();
    // The amount that verified it is refunded.
    await vi.waitFor(() => expect(fake().cash()).toBe(0), { timeout: 20_000 });
    expect((await app.ok(collection.cardEntry, { setupId: one.setupId }, asUser())).state).toBe('over');
    const again = await app.call(
      collection.enterCard,
      { setupId: one.setupId, payToken: 'bindpay1' },
      asUser(),
    );
    expect([again.status, again.envelope.code]).toEqual([409, 'collection.entry_over']);
  });

  it('is not accepted from a forged message, one with other keys, or one about another organization’s card', async () => {
    const before = (await cards()).cards.length;
    const mine = await typed();
    const data = fake().confirm(mine.url);
    expect((await toReturn(data, wrongKeys)).status).toBe(401);
    expect((await toResult(mine.setupId, data, wrongKeys)).status).toBe(401);
    expect((await post('/payments/webhooks/ecpay', '{"Data":"AAAA"}', 'application/json')).status).toBe(401);
    expect((await post('/payments/webhooks/ecpay', '{', 'application/json')).status).toBe(401);
    // Properly encrypted, but ECPay does not list such a card, or lists it for somebody else.
    expect((await toReturn({ ...data, BindCardID: 'bindcard-invented' })).status).toBe(503);
    const other = await registerUser(app, 'payer@two.example', 'Two');
    const theirs = await typed({ last4: '7777' }, other.token);
    const theirData = fake().confirm(theirs.url);
    expect((await toReturn({ ...data, BindCardID: theirData['BindCardID'] })).status).toBe(503);
    const swapped = await toReturn({
      ...data,
      MerchantMemberID: theirData['MerchantMemberID'],
      BindCardID: theirData['BindCardID'],
    });
    expect(swapped.status).toBe(409);
    expect((await toReturn({ ...data, OrderInfo: theirData['OrderInfo'] })).status).toBe(401);
    expect((await cards()).cards).toHaveLength(before);
    const asOther = { token: other.token };
    const { setupId } = mine;
    expect((await app.call(collection.cardEntry, { setupId }, asOther)).status).toBe(404);
    expect((await app.call(collection.enterCard, { setupId, payToken: 'x' }, asOther)).status).toBe(404);
    expect((await toReturn(theirData)).status).toBe(200);
    other.token = await signIn(app, 'payer@two.example');
    expect((await app.ok(collection.listCards, {}, { token: other.token })).cards).toMatchObject([
      { last4: '7777' },
    ]);
    expect((await toReturn(data)).status).toBe(200);
    expect((await cards()).cards).toHaveLength(before + 1);
  });

  it('is found without any notification, may be saved late, and shows the bank’s reason if it is declined', async () => {
    const lost = await typed({ last4: '3333' });
    fake().confirm(lost.url);
    await after(15);
    expect((await cards()).cards.map((each) => each.last4)).toContain('3333');
    const late = await typed({ last4: '4444' });
    await after(130);
    expect((await app.ok(collection.cardEntry, { setupId: late.setupId }, asUser())).state).toBe('over');
    expect((await toReturn(fake().confirm(late.url))).status).toBe(200);
    expect((await cards()).cards.map((each) => each.last4)).toContain('4444');
    const begun = await begin();
    fake().bindings.push('10100248');
    const declined = await app.call(
      collection.enterCard,
      { setupId: begun.setupId, payToken: fake().type(begun.entry.token) },
      asUser(),
    );
    expect([declined.status, declined.envelope.code]).toEqual([422, 'collection.card_declined']);
    const bank = await typed();
    expect((await toResult(bank.setupId, fake().confirm(bank.url, false))).to).toContain('cardCancelled=');
    // Without a bank’s page it is saved immediately.
    const quick = await begin();
    fake().bindings.push('no 3d');
    const { url } = await app.ok(
      collection.enterCard,
      { setupId: quick.setupId, payToken: fake().type(quick.entry.token, { last4: '5555' }) },
      asUser(),
    );
    expect(url).toContain('/payments/card-returned?card=');
    expect((await cards()).cards.map((each) => each.last4)).toContain('5555');
  });

  it('is updated by a query before its expiry is announced, and removed at ECPay when it is removed here', async () => {
    const own = (await cards()).cards.find((each) => each.isDefault)!;
    const kept = [...fake().cards.values()].find((each) => each.last4 === own.last4)!;
    await sql`update saved_card set exp_month = 10, exp_year = 2024 where id = ${own.id}`.execute(
      app.app.database.kysely,
    );
    kept.year = '33';
    await warnOfExpiry(app.app);
    expect((await cards()).cards.find((each) => each.id === own.id)).toMatchObject({
      expYear: 2033,
      expMonth: 12,
    });
    const spare = (await cards()).cards.find((each) => each.last4 === '5555')!;
    await app.ok(collection.removeCard, { cardId: spare.id }, asUser());
    await expect.poll(() => [...fake().cards.values()].map((each) => each.last4)).not.toContain('5555');
  });
});

describe('T-COLL: a charge with ECPay', () => {
  beforeAll(async () => {
    await app.ok(collection.setCollection, { isOn: true }, asUser());
  });

  it('pays the amount due once, and its notification changes nothing', async () => {
    const bill = await fresh();
    await Promise.all([run(), run()]);
    const charged = await chargesOf(bill);
    expect(charged).toMatchObject([{ amount: billTotal, status: '1' }]);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
    const notice = fake().notice(charged[0]!);
    expect([(await toReturn(notice)).text, (await toReturn(notice)).text]).toEqual(['1|OK', '1|OK']);
    expect(await app.balance()).toBe(0);
    // A notification alone pays nothing; ECPay’s response to a query does.
    const unpaid = await fresh();
    fake().charges.push('lost before');
    await run();
    const paymentId = required((await standing(unpaid)).attempts[0], 'an attempt').paymentId;
    expect(
      (
        await toReturn({
          ...notice,
          CustomField: paymentId,
          OrderInfo: { MerchantTradeNo: paymentId.slice(-20), TradeNo: '1', TradeAmt: billTotal },
        })
      ).status,
    ).toBe(200);
    expect((await app.billNow(unpaid.id)).state).toBe('open');
    await after(3);
    expect((await app.billNow(unpaid.id)).state).toBe('paid');
  });

  it.each(['lost before', 'lost after', 'late', 'says no 10100058'] as const)(
    'is made once if the provider behaves like this: %s',
    async (lie) => {
      const bill = await fresh();
      fake().charges.push(lie);
      await run();
      await run();
      await after(3);
      if (lie === 'late') {
        // The bank had not responded when it was queried; then it did.
        expect((await app.billNow(bill.id)).state).toBe('open');
        (await chargesOf(bill))[0]!.status = '1';
        await after(10);
      }
      expect(await chargesOf(bill)).toHaveLength(1);
      expect((await standing(bill)).attempts).toHaveLength(1);
      expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
      expect(await app.balance()).toBe(0);
    },
  );

  it('that turns out paid after it was declined still pays the bill', async () => {
    const bill = await fresh();
    fake().charges.push('says no 10100252');
    await run();
    expect((await standing(bill)).attempts).toMatchObject([
      { state: 'failed', reason: 'insufficient_funds' },
    ]);
    const [charge] = await chargesOf(bill);
    expect((await toReturn(fake().notice(charge!))).status).toBe(200);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    expect(await app.balance()).toBe(0);
  });

  // The provider charged or did not, and its response is lost or late; the console crashes around the call;
  // then everything that may know of the charge reports it at the same moment: two jobs, and the notification
  // twice.
  it.each([
    ['collection.before_charge', undefined],
    ['collection.after_charge', undefined],
    ['collection.after_charge', 'late'],
    [undefined, 'lost after'],
    [undefined, 'late'],
    [undefined, 'says no 10100058'],
  ] as const)(
    'F3: is made and booked once when the console crashes (%s), the provider misbehaves (%s), and all report it at once',
    async (point, lie) => {
      const [bill, other] = [await fresh(), await fresh()];
      if (lie) fake().charges.push(lie);
      armFailPoints(app.app, (reached) => {
        if (reached === point) throw new Error('killed');
      });
      await run();
      armFailPoints(app.app, undefined);
      const made = [...(await chargesOf(bill)), ...(await chargesOf(other))];
      // The bank has responded after all.
      for (const each of made) each.status = '1';
      const notices = made.map((each) => fake().notice(each));
      await app.later(3);
      await Promise.all([run(), run(), ...notices.flatMap((notice) => [toReturn(notice), toReturn(notice)])]);
      await after(10);
      for (const each of [bill, other]) {
        expect(await chargesOf(each)).toMatchObject([{ amount: billTotal, status: '1' }]);
        expect((await standing(each)).attempts).toMatchObject([{ state: 'succeeded' }]);
        expect(await app.billNow(each.id)).toMatchObject({ state: 'paid', paid: twd(billTotal) });
      }
      expect(await app.balance()).toBe(0);
    },
  );

  it.each([
    ['10100252', 'insufficient_funds', null],
    ['10100255', 'other', 'declined'],
    ['3d', 'confirm', 'confirm'],
  ] as const)('that is declined with %s ends like one with Stripe', async (code, reason, stopped) => {
    const bill = await fresh();
    fake().charges.push(code);
    await run();
    expect(await standing(bill)).toMatchObject({ stopped, attempts: [{ state: 'failed', reason }] });
    if (stopped !== null) return;
    // A soft decline is retried on the planned day, with a number of its own.
    await after(1440);
    expect((await chargesOf(bill)).map((each) => each.status)).toEqual(['1', '10200095']);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
  });

  it('of a card that ECPay no longer has is rejected, and one with wrong keys stays open to be queried', async () => {
    const bill = await fresh();
    const kept = new Map(fake().cards);
    fake().cards.clear();
    await run();
    expect(await standing(bill)).toMatchObject({ stopped: 'refused' });
    for (const [id, card] of kept) fake().cards.set(id, card);
    const other = await fresh();
    fake().now = () => new Date(app.clock.now().getTime() + 3_600_000);
    await run();
    expect(await standing(other)).toMatchObject({ stopped: null, attempts: [{ state: 'pending' }] });
    fake().now = () => app.clock.now();
    await after(3);
    expect(await app.billNow(other.id)).toMatchObject({ state: 'paid' });
  });

  it('tops a balance up once, and is refunded to the card', async () => {
    await app.ok(
      topups.setAutomaticTopUp,
      { threshold: twd(100), amount: twd(500), monthlyCap: twd(600), consents: true, language: 'zhTW' },
      asUser(),
    );
    fake().charges.push('lost after');
    await topUpBalances(app.app);
    await app.later(3);
    await topUpBalances(app.app);
    expect(await app.balance()).toBe(500);
    const { items } = await app.ok(payments.listPayments, { limit: 50 }, asUser());
    const topUp = items.find((each) => each.amount.minor === 500n)!;
    const refund = { paymentId: topUp.id, amount: twd(50), reason: 'too much' };
    expect(await app.ok(payments.refundPayment, refund, asAdmin())).toMatchObject({ state: 'succeeded' });
    expect(fake().chargesOf(topUp.id)).toMatchObject([{ amount: 500, refunded: 50 }]);
    expect(app.ecpay.actions).toEqual([]);
    expect(await app.balance()).toBe(450);
  });
});

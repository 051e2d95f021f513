// A quote from draft to acceptance: states, the end of its last day, links, and acceptance as one step.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { audit } from '#features/access/audit/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { quotes, type QuoteDetail } from '#features/invoicing/quotes/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { features } from '#app/features.ts';
import { signIn } from '../support/console.ts';
import { pdfPages } from '../support/pdf.ts';
import {
  accept,
  admin,
  console,
  content,
  create,
  customer,
  day,
  decline,
  detail,
  machines,
  moveTo,
  named,
  send,
  sent,
  startQuoteConsole,
  storage,
  tokenOf,
  twd,
} from '../support/quotes.ts';

startQuoteConsole();

/** An error: its status, and its code or the codes at its fields. */
async function refusal(
  call: Promise<{
    status: number;
    envelope: { code?: string; errors?: readonly { field: string; code: string }[] };
  }>,
): Promise<string> {
  const { status, envelope } = await call;
  const fields = envelope.errors?.map(({ field, code }) => `${field}: ${code}`).join();
  return `${status} ${fields ?? envelope.code ?? ''}`;
}
const change = (input: In<typeof quotes.updateQuote>) =>
  console.call(quotes.updateQuote, input, { token: admin });
const open = (token: string) => console.call(quotes.openQuote, { token });
const rowsOf = async (table: string, organizationId: string): Promise<number> => {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)} where organization_id = ${organizationId}`.execute(
    console.app.database.kysely,
  );
  return rows[0]?.count ?? -1;
};
/** The sentences that a reader received, with a given word. */
const notices = async (token: string, word: string): Promise<string[]> => {
  const { items } = await console.ok(notifications.listNotifications, { limit: 200 }, { token });
  return items.map(({ message }) => message).filter((message) => message.includes(word));
};
const madeTables = [
  'subscription',
  'one_off_charge',
  'discount_redemption',
  'minimum_spend',
  'credit_grant',
  'commitment',
] as const;
let known: Promise<Id<'org'>> | undefined;
/** A customer without anything, so that every test can offer something to it. */
const prospect = (): Promise<Id<'org'>> =>
  (known ??= customer().then(({ organizationId }) => organizationId));
const all = () => ({
  items: [{ serviceId: storage.id }, { serviceId: machines.id, quantities: { seats: '2' } }],
  oneOffs: [{ name: named('導入', 'Onboarding'), unitPrice: '1000', serviceId: machines.id }],
  discounts: [{ name: named('九折', 'Ten percent'), percent: '10', serviceId: storage.id, months: 6 }],
  grants: [{ name: named('開始', 'Start'), amount: twd(300), months: 3 }],
  minimumSpend: { amount: twd(900), months: 12 },
  commitments: [
    {
      name: named('年度承諾', 'Yearly'),
      months: 12,
      period: 'quarter' as const,
      amounts: [twd(3000)],
      committedPercent: '80',
      overagePercent: '90',
      scope: {
        services: [storage.id, machines.id],
        charges: [{ serviceId: machines.id, chargeKey: 'traffic' }],
        usageOnly: true,
      },
    },
  ],
});

const ofCharges = (charges: readonly object[], services: readonly string[] | null = null) => ({
  name: named('a'),
  months: 12,
  period: 'month',
  amounts: [twd(5)],
  scope: { services, charges, usageOnly: false },
});

describe('T-QUOTE: a draft of a quote', () => {
  it('has no number and no link, is visible to Admins only, and is deleted completely', async () => {
    const { organizationId, token } = await customer();
    const draft = await create(organizationId);
    expect(draft).toMatchObject({
      number: null,
      link: null,
      state: 'draft',
      hasDraft: true,
      sentVersion: null,
    });
    expect((await console.ok(quotes.ownQuotes, {}, { token })).items).toEqual([]);
    expect(await refusal(console.call(quotes.getQuote, { quoteId: draft.id }, { token }))).toMatch(/^403/);
    await console.ok(quotes.deleteQuote, { quoteId: draft.id }, { token: admin });
    expect(await refusal(console.call(quotes.getQuote, { quoteId: draft.id }, { token: admin }))).toBe(
      '404 quotes.not_found',
    );
  });

  it.each([
    ['an empty quote', {}, 'content.items: quotes.nothing_offered'],
    [
      'a duplicate service',
      () => ({ items: [{ serviceId: storage.id }, { serviceId: storage.id }] }),
      'content.items.1.serviceId: quotes.item_twice',
    ],
    [
      'a discount of more than 100 %',
      () => ({
        items: [{ serviceId: storage.id }],
        discounts: [{ name: named('a'), percent: '100.1', months: 1 }],
      }),
      'content.discounts.0.percent: quotes.percent_wrong',
    ],
    [
      'a discount without an amount',
      () => ({ items: [{ serviceId: storage.id }], discounts: [{ name: named('a'), months: 1 }] }),
      'content.discounts.0.percent: quotes.discount_unclear',
    ],
    [
      'a discount for a service that is not in the quote',
      () => ({
        items: [{ serviceId: storage.id }],
        discounts: [{ name: named('a'), percent: '5', months: 1, serviceId: machines.id }],
      }),
      'content.discounts.0.serviceId: quotes.not_offered',
    ],
    [
      'another currency',
      { grants: [{ name: named('a'), amount: { minor: 5n, currency: 'USD' }, months: null }] },
      'content.grants.0.amount: quotes.currency_differs',
    ],
    [
      'credit of zero',
      { grants: [{ name: named('a'), amount: twd(0), months: null }] },
      'content.grants.0.amount: quotes.amount_wrong',
    ],
    [
      'a price of zero',
      { oneOffs: [{ name: named('a'), unitPrice: '0' }] },
      'content.oneOffs.0.unitPrice: quotes.price_wrong',
    ],
    [
      'an amount below one unit',
      { oneOffs: [{ name: named('a'), unitPrice: '0.4' }] },
      'content.oneOffs.0.unitPrice: quotes.amount_zero',
    ],
    [
      'a charge that does not exist',
      () => ({ items: [{ serviceId: machines.id, quantities: { fee: '2' }, usage: { nothing: '3' } }] }),
      'content.items.0.quantities.fee: quotes.charge_unknown,content.items.0.usage.nothing: quotes.charge_unknown',
    ],
    [
      'a commitment whose months are not whole periods, in another currency',
      {
        commitments: [
          {
            name: named('a'),
            months: 10,
            period: 'quarter',
            amounts: [{ minor: 5n, currency: 'USD' }],
            committedPercent: '101',
          },
        ],
      },
      'content.commitments.0.months: commitments.months_not_whole_periods,content.commitments.0.committedPercent: commitments.percent_out_of_range,content.commitments.0.amounts.0: quotes.currency_differs',
    ],
    [
      'charges of a commitment that its service does not have',
      () => ({
        items: [{ serviceId: machines.id }],
        commitments: [ofCharges([{ serviceId: machines.id, chargeKey: 'nothing' }])],
      }),
      'content.commitments.0.scope.charges.0: quotes.commitment_charge_unknown',
    ],
    [
      'charges of a commitment for a service that is not selected, or not in the quote',
      () => ({
        items: [{ serviceId: machines.id }, { serviceId: storage.id }],
        commitments: [
          ofCharges([{ serviceId: machines.id, chargeKey: 'traffic' }], [storage.id]),
          ofCharges([{ serviceId: `svc_${'0'.repeat(26)}`, chargeKey: 'traffic' }]),
        ],
      }),
      'content.commitments.0.scope.charges.0: quotes.charge_of_other_service,content.commitments.1.scope.charges.0: quotes.not_offered',
    ],
  ] as const)('is rejected at its field: %s', async (_what, offered, expected) => {
    const organizationId = await prospect();
    const made = (typeof offered === 'function' ? offered() : offered) as object;
    expect(
      await refusal(
        console.call(
          quotes.createQuote,
          { organizationId, currency: 'TWD', validUntil: day('2026-10-31'), content: content(made) },
          { token: admin },
        ),
      ),
    ).toBe(`400 ${expected}`);
  });

  it.each([
    ['2026-10-11', 'validUntil: quotes.valid_until_past'],
    ['2027-10-14', 'validUntil: quotes.valid_until_far'],
  ])('with the last day %s: %s', async (validUntil, expected) => {
    const organizationId = await prospect();
    expect(
      await refusal(
        console.call(
          quotes.createQuote,
          {
            organizationId,
            currency: 'TWD',
            validUntil: day(validUntil),
            content: content({ items: [{ serviceId: storage.id }] }),
          },
          { token: admin },
        ),
      ),
    ).toBe(`400 ${expected}`);
  });

  it('cannot be changed by somebody who read an older revision', async () => {
    const organizationId = await prospect();
    const { id, revision } = await create(organizationId);
    const first = await change({ quoteId: id, validUntil: day('2026-10-30'), revision });
    expect(first.data).toMatchObject({ revision: revision + 1, validUntil: '2026-10-30', version: 1 });
    expect(await refusal(change({ quoteId: id, validUntil: day('2026-10-29'), revision }))).toBe(
      '409 quotes.changed_meanwhile',
    );
  });
});

describe('T-QUOTE: sending a quote', () => {
  it('numbers quotes of a month without gaps, however many are sent concurrently and whatever fails', async () => {
    const organizationId = await prospect();
    const drafts = await Promise.all(Array.from({ length: 8 }, () => create(organizationId)));
    const results = await Promise.all(
      drafts.flatMap(({ id, revision }, index) => [
        console.call(
          quotes.sendQuote,
          { quoteId: id, revision: index === 3 ? 99 : revision },
          { token: admin },
        ),
      ]),
    );
    const numbers = results.flatMap(({ data, status }) =>
      status === 200 ? [Number(data.number?.split('-').at(-1))] : [],
    );
    const sorted = numbers.toSorted((a, b) => a - b);
    expect(sorted).toHaveLength(7);
    expect(sorted.map((number) => number - (sorted[0] ?? 0))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(results.find(({ status }) => status === 200)?.data.number).toMatch(/^Q-202610-\d{4}$/);
  });

  it('notifies the members, shows them the link, and keeps its secret out of the database', async () => {
    const { organizationId, token: member } = await customer();
    const { token, quote } = await sent(organizationId);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await notices(member, 'awaits your reply')).toEqual([
      expect.stringContaining(quote.number ?? '?'),
    ]);
    expect((await console.ok(quotes.ownQuotes, {}, { token: member })).items).toMatchObject([
      { id: quote.id, link: `/quotes/${token}` },
    ]);
    // The notification links to the member’s own page, which computes the link.
    const { items: told } = await console.ok(
      notifications.listNotifications,
      { limit: 1 },
      { token: member },
    );
    expect(told[0]?.link).toBe(`/billing/credits?quote=${quote.id}`);
    const { rows: tables } = await sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
      console.app.database.kysely,
    );
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables) {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::int as count from ${sql.table(name)} t where t::text like ${`%${token}%`}`.execute(
        console.app.database.kysely,
      );
      expect({ name, count: rows[0]?.count }).toEqual({ name, count: 0 });
    }
  });

  it('a second version: the sent one can be accepted until the next is sent, which replaces it', async () => {
    const organizationId = await prospect();
    const first = await sent(organizationId);
    const next = await change({
      quoteId: first.id,
      content: content({ items: [{ serviceId: machines.id }] }),
    });
    expect(next.data).toMatchObject({ version: 2, sentVersion: 1, hasDraft: true, state: 'sent' });
    expect((await open(first.token)).data).toMatchObject({ version: 1, items: [{ name: 'Storage' }] });
    const second = await send(first.id);
    expect(second).toMatchObject({ number: first.quote.number, version: 2, sentVersion: 2, hasDraft: false });
    expect(await refusal(open(first.token))).toBe('410 quotes.link_superseded');
    expect(await refusal(accept(first.token))).toBe('410 quotes.link_superseded');
    expect((await open(tokenOf(second))).data).toMatchObject({ version: 2, items: [{ name: 'Machines' }] });
    expect(await refusal(console.call(quotes.sendQuote, { quoteId: first.id }, { token: admin }))).toBe(
      '409 quotes.no_draft',
    );
  });

  it('discarding the draft of a sent quote keeps the sent version', async () => {
    const organizationId = await prospect();
    const { id, token } = await sent(organizationId);
    await change({ quoteId: id, validUntil: day('2026-10-20') });
    await console.ok(quotes.deleteQuote, { quoteId: id }, { token: admin });
    expect(await detail(id)).toMatchObject({ version: 1, hasDraft: false, validUntil: '2026-10-31' });
    expect((await open(token)).status).toBe(200);
  });
});

describe('T-QUOTE: the link of a quote', () => {
  it('returns nothing for an unknown token, and that it was withdrawn for a withdrawn one, permanently', async () => {
    const organizationId = await prospect();
    expect(await refusal(open('A'.repeat(43)))).toBe('404 quotes.link_unknown');
    const { id, token } = await sent(organizationId);
    const { data } = await console.call(
      quotes.withdrawQuote,
      { quoteId: id, reason: 'Typo' },
      { token: admin },
    );
    expect(data).toMatchObject({ state: 'withdrawn', link: null, withdrawn: { reason: 'Typo' } });
    for (const call of [open(token), accept(token), decline(token)])
      expect(await refusal(call)).toBe('410 quotes.link_withdrawn');
    expect(await refusal(change({ quoteId: id, validUntil: day('2026-10-30') }))).toBe('409 quotes.final');
  });

  it('cannot be accepted once a reseller sells to the organization, and can be declined', async () => {
    const [shop, sold] = [await customer(), await customer()];
    const { token, id } = await sent(sold.organizationId);
    const asAdmin = { token: admin };
    await console.ok(
      resellers.makeReseller,
      {
        organizationId: shop.organizationId,
        name: 'Cloud Shop',
        numberPrefix: 'SHOP',
        taxRate: '5',
        dueDays: 14,
        instructions: '',
      },
      asAdmin,
    );
    const sell = (resellerId: Id<'org'> | null) =>
      console.ok(
        resellers.setReseller,
        { organizationId: sold.organizationId, resellerId, from: '2026-10' as BillingMonth },
        asAdmin,
      );
    await sell(shop.organizationId);
    expect(await refusal(accept(token))).toBe('403 resellers.sold_by_reseller');
    expect((await detail(id)).state).toBe('sent');
    expect((await decline(token)).status).toBe(200);
    await sell(null);
  });

  it('returns nothing internal to the seller', async () => {
    const organizationId = await prospect();
    const { token } = await sent(organizationId, all());
    const { data } = await open(token);
    expect(
      JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/priceVersionIds|prv_|createdBy|admin@/);
    expect(data.terms.map(({ kind }) => kind)).toEqual([
      'one_off',
      'discount',
      'minimum_spend',
      'grant',
      'commitment',
    ]);
  });

  it('returns a PDF in both languages with the same figures', async () => {
    const organizationId = await prospect();
    const { token, quote, id } = await sent(organizationId, {
      ...all(),
      message: { zhTW: '感謝您的洽詢', enUS: 'Thank you for asking' },
    });
    for (const [language, words] of [
      ['zhTW', ['報價單', '感謝您的洽詢', '服務與價格', '折抵 10%', '每月至少 NT$900']],
      ['enUS', ['Quote', 'Thank you for asking', 'Services and prices', '10% off', 'At least NT$900']],
    ] as const) {
      const { body } = await console.ok(quotes.quoteDocument, { token, language });
      const pages = (await pdfPages(body as Uint8Array)).join(' ');
      for (const word of [...words, quote.number ?? '?', 'Machines', 'NT$3.3']) expect(pages).toContain(word);
      const total = quote.versions[0]?.estimate.contract.total;
      expect(pages.replaceAll(',', '')).toContain(`NT$${total ? moneyText(total) : '?'}`);
    }
    const own = await console.ok(
      quotes.quotePdf,
      { quoteId: id, version: 1, language: 'enUS' },
      { token: admin },
    );
    expect(own.mediaType).toBe('application/pdf');
  });
});

describe('T-QUOTE: the expiry of a quote', () => {
  it('is at the end of its last day in the organization’s time zone, to the millisecond', async () => {
    await moveTo('2026-10-12T04:00:00Z');
    const { organizationId } = await customer();
    const inTime = await sent(organizationId, undefined, { validUntil: day('2026-10-15') });
    const late = await sent(
      organizationId,
      { items: [{ serviceId: machines.id }] },
      { validUntil: day('2026-10-15') },
    );
    // 15 October ends in Taipei at 16:00 UTC.
    console.clock.set(new Date('2026-10-15T15:59:59.999Z'));
    expect((await accept(inTime.token)).data).toMatchObject({ state: 'accepted' });
    console.clock.set(new Date('2026-10-15T16:00:00.000Z'));
    for (const call of [open(late.token), accept(late.token), decline(late.token)])
      expect(await refusal(call)).toBe('410 quotes.link_expired');
    // An accepted quote can be read forever.
    expect((await open(inTime.token)).data).toMatchObject({ state: 'accepted' });
    await moveTo('2026-10-15T16:00:00.000Z');
    expect(await detail(late.id)).toMatchObject({ state: 'expired', link: null });
    const list = await console.ok(quotes.listQuotes, { organizationId, state: 'expired' }, { token: admin });
    expect(list.items.map(({ id }) => id)).toEqual([late.id]);
    // A new version is a new offer.
    await change({ quoteId: late.id, validUntil: day('2026-10-20') });
    expect((await accept(tokenOf(await send(late.id)))).status).toBe(200);
  });

  it('is announced to Admins once', async () => {
    await moveTo('2026-11-01T04:00:00Z');
    const { organizationId } = await customer();
    const { quote } = await sent(organizationId, undefined, { validUntil: day('2026-11-05') });
    const job = features.find(({ name }) => name === 'quotes')?.jobs[0];
    const run = () => job?.run(console.app, {} as never, new AbortController().signal);
    const expiryNotices = async () =>
      (await notices(admin, 'expires on')).filter((message) => message.includes(quote.number ?? '?'));
    await run();
    expect(await expiryNotices()).toEqual([]);
    await moveTo('2026-11-02T16:00:00Z');
    await run();
    await run();
    expect(await expiryNotices()).toHaveLength(1);
  });
});

describe('T-QUOTE: accepting a quote', () => {
  it('creates everything at once, logs it, and stores who accepted it', async () => {
    await moveTo('2026-11-10T04:00:00Z');
    const { organizationId } = await customer();
    const { id, token } = await sent(organizationId, all(), { validUntil: day('2026-11-30') });
    expect(await refusal(console.call(quotes.acceptQuote, { token, name: '王', mayAct: false }))).toBe(
      '400 mayAct: quotes.may_act_needed',
    );
    const { data } = await accept(token, '王小明');
    expect(data).toMatchObject({ state: 'accepted', decision: { name: '王小明' } });
    const quote = await detail(id);
    expect(quote.decision).toMatchObject({
      name: '王小明',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
    });
    expect(quote.made.map(({ kind, name }) => `${kind} ${name.enUS}`)).toEqual([
      'subscription Storage',
      'subscription Machines',
      'one_off Onboarding',
      'discount Ten percent',
      'minimum_spend Minimum monthly spend',
      'grant Start',
      'commitment Yearly',
    ]);
    const idOf = (kind: string, place = 0) =>
      quote.made.filter((made) => made.kind === kind)[place]?.id as never;
    const owned = await console.ok(
      subscriptions.adminListSubscriptions,
      { organizationId },
      { token: admin },
    );
    expect(new Set(owned.items.map((each) => each.id))).toEqual(
      new Set([idOf('subscription'), idOf('subscription', 1)]),
    );
    expect(owned.items.find(({ service }) => service.name === 'Machines')?.quantities).toMatchObject({
      seats: '2',
    });
    const oneOff = await console.ok(oneOffs.getOneOff, { oneOffId: idOf('one_off') }, { token: admin });
    expect(oneOff).toMatchObject({
      state: 'approved',
      note: quote.number,
      subscriptionId: idOf('subscription', 1),
    });
    expect(
      await console.ok(discounts.listRedemptions, { discountId: idOf('discount') }, { token: admin }),
    ).toMatchObject({ total: 1, items: [{ organizationId, lastMonth: '2027-04' }] });
    expect(
      await console.ok(creditgrants.adminGetGrant, { grantId: idOf('grant') }, { token: admin }),
    ).toMatchObject({ organizationId, lastMonth: '2027-01', createdBy: expect.not.stringMatching(/^$/) });
    expect(
      (await console.ok(oneOffs.listMinimumSpends, { organizationId }, { token: admin })).items,
    ).toMatchObject([{ id: idOf('minimum_spend'), fromMonth: '2026-11', toMonth: '2027-10' }]);
    expect(
      await console.ok(
        commitments.adminGetCommitment,
        { commitmentId: idOf('commitment') },
        { token: admin },
      ),
    ).toMatchObject({
      startsOn: '2026-11',
      lastMonth: '2027-10',
      committedPercent: '80',
      note: quote.number,
      scope: {
        services: expect.toSatisfy((services: { id: string }[]) =>
          [storage, machines].every(({ id: serviceId }) => services.some((each) => each.id === serviceId)),
        ),
        charges: [{ serviceId: machines.id, chargeKey: 'traffic' }],
        usageOnly: true,
      },
    });
    const { terms } = await console.ok(quotes.openQuote, { token });
    expect(terms.find(({ kind }) => kind === 'commitment')?.terms).toContain('Storage, Machines (Traffic): ');
    expect(await notices(admin, 'accepted quote')).toContainEqual(
      expect.stringMatching(new RegExp(`${quote.number}.*王小明`)),
    );
    const log = await console.ok(audit.listAudit, { q: id }, { token: admin });
    expect(log.items.map(({ action }) => action)).toEqual([
      'quotes.acceptQuote',
      'quotes.sendQuote',
      'quotes.createQuote',
    ]);
  });

  it('50 times concurrently is one acceptance, the same response for all, one of everything', async () => {
    const { organizationId } = await customer();
    const { id, token } = await sent(organizationId, all(), { validUntil: day('2026-11-30') });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => accept(token, `人 ${index}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ data }) => data.decision?.name)).size).toBe(1);
    const counts = await Promise.all(madeTables.map((table) => rowsOf(table, organizationId)));
    expect(counts).toEqual([2, 1, 1, 1, 1, 1]);
    expect((await detail(id)).made).toHaveLength(7);
    expect(await refusal(decline(token))).toBe('409 quotes.accepted_already');
  });

  it('is undone completely if one part is rejected; the customer sees which, and Admins are notified', async () => {
    const { organizationId } = await customer();
    // The last of all parts fails: a minimum spend of the same months.
    await console.ok(oneOffs.createMinimumSpend, { organizationId, amount: twd(5) }, { token: admin });
    const { id, token, quote } = await sent(organizationId, all(), { validUntil: day('2026-11-30') });
    const refused = await console.call(
      quotes.acceptQuote,
      { token, name: '王', mayAct: true },
      { language: 'zhTW' },
    );
    expect(refused.envelope).toMatchObject({ code: 'quotes.part_refused' });
    expect(refused.envelope.message).toContain('最低消費');
    const counts = await Promise.all(madeTables.map((table) => rowsOf(table, organizationId)));
    expect(counts).toEqual([0, 0, 0, 1, 0, 0]);
    expect(await detail(id)).toMatchObject({ state: 'sent', made: [] });
    const failures = (await notices(admin, 'tried to accept')).filter((text) =>
      text.includes(quote.number ?? '?'),
    );
    expect(failures).toHaveLength(1);
    const log = await console.ok(audit.listAudit, { q: id }, { token: admin });
    expect(log.items[0]).toMatchObject({ action: 'quotes.refuseQuote' });
    // Once the reason is resolved, the same link works.
    const [blocking] = (await console.ok(oneOffs.listMinimumSpends, { organizationId }, { token: admin }))
      .items;
    await console.ok(
      oneOffs.endMinimumSpend,
      { minimumSpendId: blocking?.id as never, lastMonth: '2026-10' as never },
      { token: admin },
    );
    expect((await accept(token)).status).toBe(200);
  });

  it('names a service that the organization already has, or that is retired', async () => {
    const { organizationId } = await customer();
    const { token } = await sent(
      organizationId,
      { items: [{ serviceId: storage.id }, { serviceId: machines.id }] },
      { validUntil: day('2026-11-30') },
    );
    await console.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId: machines.id },
      { token: admin },
    );
    const refused = await accept(token);
    expect(refused.envelope.code).toBe('quotes.part_refused');
    expect(refused.envelope.message).toContain('Machines');
    expect(await rowsOf('subscription', organizationId)).toBe(1);
  });

  it('is rejected if a price changed since it was sent; a new version offers the new price', async () => {
    const service = await console.ok(
      catalogue.createService,
      {
        name: 'Changing',
        type: 'API',
        category: 'Own',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '300' },
        meter: { eventType: 'x', aggregation: 'sum', unit: 'x' },
      },
      { token: admin },
    );
    const { organizationId } = await customer();
    const { id, token } = await sent(
      organizationId,
      { items: [{ serviceId: service.id }] },
      { validUntil: day('2026-11-30') },
    );
    await moveTo('2026-11-10T05:00:00Z');
    await console.ok(
      catalogue.updateService,
      { serviceId: service.id, pricing: { model: 'flat', currency: 'TWD', baseFee: '400' } },
      { token: admin },
    );
    // The sent version is unchanged.
    expect((await open(token)).data.items[0]?.charges[0]?.price).toContain('300');
    expect(await refusal(accept(token))).toBe('409 quotes.price_changed');
    expect(await rowsOf('subscription', organizationId)).toBe(0);
    await change({ quoteId: id, validUntil: day('2026-11-30') });
    const again = await send(id);
    expect(again.versions[0]?.estimate.full.net).toEqual(twd(400));
    expect((await accept(tokenOf(again))).status).toBe(200);
  });
});

describe('T-QUOTE: declining a quote', () => {
  it('is final, notifies Admins with the reason, and a repeat changes nothing', async () => {
    const { organizationId } = await customer();
    const { id, token, quote } = await sent(organizationId, undefined, { validUntil: day('2026-11-30') });
    expect((await decline(token, '太貴')).data).toMatchObject({ state: 'declined' });
    expect((await decline(token, '別的')).data).toMatchObject({ state: 'declined' });
    const found: QuoteDetail = await detail(id);
    expect(found).toMatchObject({ state: 'declined', decision: { reason: '太貴' } });
    expect(await refusal(accept(token))).toBe('409 quotes.declined_already');
    const declines = (await notices(admin, 'declined quote')).filter((text) =>
      text.includes(quote.number ?? '?'),
    );
    expect(declines).toEqual([expect.stringContaining('太貴')]);
    expect(await refusal(change({ quoteId: id, validUntil: day('2026-11-30') }))).toBe('409 quotes.final');
  });
});

describe('T-QUOTE: lists and files of quotes', () => {
  it('are searched by number and organization, sorted by value, and exported as filtered', async () => {
    const { organizationId, email } = await customer();
    const { quote } = await sent(organizationId, undefined, { validUntil: day('2026-11-30') });
    const found = async (input: object) =>
      (await console.ok(quotes.listQuotes, input, { token: admin })).items.map(({ number }) => number);
    expect(await found({ q: quote.number ?? '' })).toEqual([quote.number]);
    expect(await found({ organizationId, state: 'sent' })).toEqual([quote.number]);
    expect(await found({ organizationId, state: 'draft' })).toEqual([]);
    for (const sort of ['-total', 'validUntil', 'organization', 'number'])
      expect((await found({ sort })).length).toBeGreaterThan(3);
    const exported = await console.ok(
      quotes.exportQuotes,
      { organizationId, format: 'csv', language: 'zhTW' },
      { token: admin },
    );
    const text = Buffer.from(exported.body as Uint8Array).toString('utf8');
    expect(text).toContain(quote.number ?? '?');
    expect(text).toContain('待回覆');
    const other = await signIn(console, email);
    expect((await console.ok(quotes.ownQuotes, {}, { token: other })).items).toHaveLength(1);
  });
});

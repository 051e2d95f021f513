// How a filled console sells and gets paid besides plain prices: through resellers, by other payers, on
// credit, in installments, by card.
import { setTimeout } from 'node:timers/promises';
import { monthBefore, dayBefore, noonOf, twd, type App, type Stands } from './filling.ts';

type Named = { readonly id: string };
type Bills = { readonly items: readonly { id: string; due: { amount: string } }[] };
/** The organizations created here, by their purpose. */
export type Sold = {
  readonly resold: string;
  readonly left: string;
  readonly payer: string;
  readonly branch: string;
  /** A subscription of the customer that the reseller no longer sells to. */
  readonly leftSubscription: string;
};

const password = 'another long passphrase';

/**
 * Before months are closed: 晨光科技 sells to two customers, one of which the operator takes over this month;
 * 遠山集團 pays for its branch.
 */
export async function sellOn({ journey, asAdmin, asOwner, organizationId, services }: App): Promise<Sold> {
  await asAdmin('POST', '/admin/resellers', {
    organizationId,
    name: '晨光雲端',
    numberPrefix: 'SUN',
    taxRate: '5',
    dueDays: 30,
    instructions: '請匯款至 007-123456，並註明帳單編號。',
  });
  const resale = async (name: string, email: string): Promise<string> => {
    const { organizationId: id } = await asOwner<{ organizationId: string }>('POST', '/reseller/customers', {
      name,
      email,
    });
    await asAdmin('PUT', '/admin/resellers/customers', {
      organizationId: id,
      resellerId: organizationId,
      from: monthBefore(2),
    });
    return id;
  };
  const [resold, left] = [
    await resale('小店數位行銷', 'owner@shop.example'),
    await resale('山城物流', 'owner@hills.example'),
  ];
  await asOwner('PUT', '/reseller/mark-ups', {
    from: monthBefore(0),
    markUps: { percent: '20', services: [{ serviceId: services.server, percent: '35', charges: [] }] },
  });
  const register = async (account: string, organization: string): Promise<string> =>
    (await journey.register({ account, password, name: '財務', organization })).organizationId;
  const [payer, branch] = [
    await register('owner@hills-group.example', '遠山集團'),
    await register('owner@hills-tainan.example', '遠山集團台南分公司'),
  ];
  await asAdmin('PUT', '/admin/payers', { organizationId: branch, payerId: payer, from: monthBefore(2) });
  await asAdmin('PUT', '/admin/payers/billing', {
    organizationId: payer,
    isConsolidated: true,
    from: monthBefore(1),
  });
  const subscribe = async (owner: string, serviceId: string): Promise<string> =>
    (
      await asAdmin<Named>('POST', '/admin/subscriptions', {
        organizationId: owner,
        serviceId,
        startedAt: noonOf(75),
      })
    ).id;
  await subscribe(resold, services.server);
  await subscribe(resold, services.storage);
  const leftSubscription = await subscribe(left, services.database);
  await subscribe(payer, services.larger);
  await subscribe(branch, services.server);
  return { resold, left, payer, branch, leftSubscription };
}

/**
 * After months are closed: late usage in a resold month, a paid retail bill and a credited one, installments,
 * limits.
 */
export async function agreeTerms(
  { journey, asAdmin, asOwner, organizationId }: App,
  { left, payer, leftSubscription }: Sold,
): Promise<void> {
  await asAdmin('PUT', '/admin/resellers/customers', {
    organizationId: left,
    resellerId: null,
    from: monthBefore(0),
  });
  const { secret } = await asAdmin<{ secret: string }>('POST', '/admin/api-keys', { name: '補送用量' });
  await journey.call(
    'POST',
    '/usage/events',
    {
      specversion: '1.0',
      id: 'late-1',
      source: '/gateways/tpe-1',
      type: 'database',
      subject: leftSubscription,
      time: `${monthBefore(1)}-15T04:00:00Z`,
      data: { value: '50' },
    },
    secret,
    'application/cloudevents+json',
  );
  const { items: retail } = await asOwner<{ items: readonly Named[] }>('GET', '/reseller/bills');
  await asOwner('PUT', `/reseller/bills/${retail.at(-1)?.id}/payment`, {
    paidOn: dayBefore(1),
    note: '匯款 88123',
  });
  await asOwner('POST', `/reseller/bills/${retail[0]?.id}/credits`, {
    amount: '500',
    reason: '服務中斷半天。',
  });
  await asOwner('PUT', '/reseller/brand', {
    accent: '#C2410C',
    senderName: '晨光雲端客服',
    replyTo: 'help@sun.example',
  });
  await asOwner('PUT', '/reseller/brand/host', { host: 'portal.sun.example' });
  const { items: bills } = await asAdmin<Bills>(
    'GET',
    `/admin/bills?organizationId=${payer}&month=${monthBefore(2)}`,
  );
  const due = Number(bills[0]?.due.amount);
  const first = Math.floor(due / 3);
  await asAdmin('POST', '/admin/payment-plans', {
    billIds: bills.slice(0, 1).map(({ id }) => id),
    instalments: [
      { on: dayBefore(-7), amount: twd(String(first)) },
      { on: dayBefore(-37), amount: twd(String(first)) },
      { on: dayBefore(-67), amount: twd(String(due - 2 * first)) },
    ],
    graceDays: 3,
    note: '與財務長電話約定',
  });
  for (const [one, amount] of [
    [null, '500000'],
    [organizationId, '12000'],
    [payer, '20000'],
  ] as const)
    await asAdmin('PUT', '/admin/credit-limits', {
      organizationId: one,
      currency: 'TWD',
      amount: twd(amount),
    });
}

/** Cards: two of the customer's own, and a balance that is topped up from one of them. */
export async function settleTerms({ journey, asOwner, asAdmin }: App, { stripe }: Stands): Promise<void> {
  await asAdmin('PUT', '/admin/collection', { firstDay: 'due', daysBefore: 1, retryDays: [1, 3] });
  for (const card of [
    { last4: '4242', exp_month: 12, exp_year: 2030 },
    { last4: '1881', exp_month: 1, exp_year: 2027 },
  ]) {
    const { url } = await asOwner<{ url: string }>('POST', '/billing/cards', {
      consents: true,
      language: 'zhTW',
    });
    const { body, headers } = stripe.signed(
      stripe.event('checkout.session.completed', stripe.cards.enter(url, card)),
      new Date(),
    );
    await fetch(`${journey.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers });
  }
  const hasCard = async (): Promise<boolean> =>
    (await asOwner<{ cards: readonly unknown[] }>('GET', '/billing/cards')).cards.length > 0;
  while (!(await hasCard())) await setTimeout(250);
  await asOwner('PUT', '/billing/automatic-top-ups', {
    threshold: twd('3000'),
    amount: twd('5000'),
    monthlyCap: twd('20000'),
    consents: true,
    language: 'zhTW',
  });
}

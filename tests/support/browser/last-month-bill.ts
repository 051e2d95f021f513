// The starting point of journeys about bills: a subscription since last month, or an issued bill.
import type { Journey } from './journey.ts';
import { monthBegin, named } from './terms.ts';

/** Subscribes an organization to a service with a monthly fee in NT$, from the beginning of last month. */
export async function subscribeSinceLastMonth(
  journey: Journey,
  token: string,
  organizationId: string,
  amount: string,
): Promise<void> {
  const service = {
    name: '專線',
    type: '網路',
    category: '平台',
    currency: 'TWD',
    charges: [{ key: 'fee', name: named('月費', 'Fee'), kind: 'recurring', model: 'flat', amount }],
  };
  const { id: serviceId } = await journey.call<{ id: string }>('POST', '/admin/services', service, token);
  const startedAt = monthBegin(-1).toISOString();
  await journey.call('POST', '/admin/subscriptions', { organizationId, serviceId, startedAt }, token);
}

/**
 * Subscribes an organization to a service with a monthly fee of NT$1,000 two months ago, closes last month,
 * and returns its bill.
 */
export async function billOfLastMonth(
  journey: Journey,
  token: string,
  organizationId: string,
): Promise<{ readonly id: string; readonly month: string }> {
  const now = new Date();
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 15));
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  const service = {
    name: '推論',
    type: 'API',
    category: '平台',
    pricing: {
      model: 'graduated',
      currency: 'TWD',
      baseFee: '1000',
      tiers: [{ upTo: null, unitPrice: '1' }],
    },
    meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
  };
  const { id: serviceId } = await journey.call<{ id: string }>('POST', '/admin/services', service, token);
  await journey.call(
    'POST',
    '/admin/subscriptions',
    { organizationId, serviceId, startedAt: begin.toISOString() },
    token,
  );
  await journey.call('POST', '/admin/billing/close', { month }, token);
  const { items } = await journey.call<{ items: { id: string }[] }>(
    'GET',
    `/admin/bills?month=${month}`,
    undefined,
    token,
  );
  const [bill] = items;
  if (!bill) throw new Error(`no bill of ${month}`);
  return { id: bill.id, month };
}

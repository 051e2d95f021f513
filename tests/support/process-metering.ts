// A metered customer of a console in a separate process, and the customer's gateway, which sends events.
import { expect } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import {
  processApi as api,
  processPassword as password,
  setUpProcess,
  signInProcess,
  type ProcessConsole,
} from './process.ts';

/** The gateway's key and the subscription whose events it sends; `time` is the time of all its events. */
export type MeteredCustomer = {
  readonly key: string;
  readonly subscriptionId: string;
  readonly time: string;
};

/** Registers a customer's owner (owner@one.example); returns the organization's id. */
export async function registerOwner(console: ProcessConsole): Promise<string> {
  const { user } = await api<{ user: { organizationId: string } }>(console, 'POST', '/user/register', {
    email: 'owner@one.example',
    name: 'Owner',
    password,
    organization: 'One',
    agreeToTerms: true,
  });
  return user.organizationId;
}

/** Sets the console up, with a customer (owner@one.example) whose subscription is metered by the sum of events of type `call`. */
export async function meteredCustomer(console: ProcessConsole): Promise<MeteredCustomer> {
  const admin = await setUpProcess(console);
  const organizationId = await registerOwner(console);
  const { id: serviceId } = await api(
    console,
    'POST',
    '/admin/services',
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    admin,
  );
  const { id: subscriptionId = '' } = await api(
    console,
    'POST',
    '/admin/subscriptions',
    {
      organizationId,
      serviceId,
      startedAt: new Date(Date.now() - 40 * 86_400_000).toISOString(),
    },
    admin,
  );
  return {
    key: (await api(console, 'POST', '/admin/api-keys', { name: 'gateway' }, admin))['secret'] ?? '',
    subscriptionId,
    time: new Date(Date.now() - 3_600_000).toISOString(),
  };
}

export type IngestAnswer = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly unknown[];
};

/** Sends events of value 1 with these ids in one batch. Rejects unless they were acknowledged. */
export async function sendEvents(
  { address }: Pick<ProcessConsole, 'address'>,
  { key, subscriptionId, time }: MeteredCustomer,
  ids: readonly string[],
): Promise<IngestAnswer> {
  const body = JSON.stringify(
    ids.map((id) => ({
      specversion: '1.0',
      id,
      source: '/gateway',
      type: 'call',
      subject: subscriptionId,
      time,
      data: { value: '1' },
    })),
  );
  const response = await fetch(`${address}/api/usage/events`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/cloudevents-batch+json', authorization: `Bearer ${key}` },
  });
  if (response.status !== 202) throw new Error(String(response.status));
  return ((await response.json()) as { data: IngestAnswer }).data;
}

/** The largest batch when everything is sent again. */
const resentAtOnce = 1000;

/**
 * Sends every event again, as clients without a response do, and expects each to be stored exactly once: all
 * of `acknowledged` are already stored, and of the others in `sent` none is rejected.
 */
export async function expectStoredOnce(
  console: ProcessConsole,
  customer: MeteredCustomer,
  { sent, acknowledged }: { readonly sent: readonly string[]; readonly acknowledged: ReadonlySet<string> },
): Promise<void> {
  const known = [...acknowledged];
  for (const some of chunksOf(known, resentAtOnce))
    expect(await sendEvents(console, customer, some)).toEqual({
      accepted: 0,
      duplicates: some.length,
      rejected: [],
    });
  const unanswered = sent.filter((id) => !acknowledged.has(id));
  for (const some of chunksOf(unanswered, resentAtOnce))
    expect((await sendEvents(console, customer, some)).rejected).toEqual([]);
  const { total } = await api<{ total: number }>(
    console,
    'GET',
    `/usage/events?subscriptionId=${customer.subscriptionId}&limit=1`,
    undefined,
    await signInProcess(console, 'owner@one.example'),
  );
  expect(total).toBe(sent.length);
}

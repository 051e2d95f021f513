// Uses the packed client against a running console and prints what it saw. Compiled against the package's types before it runs.
import { createHmac } from 'node:crypto';
import {
  Skytally,
  SkytallyError,
  WebhookSignatureError,
  iterate,
  verifyWebhook,
  type BillDetail,
  type Organization,
} from '@skytally/client';

const setting = (name: string): string => process.env[name] ?? '';
const organizationId = setting('ORGANIZATION');

/** Statuses that the next attempts get instead of the console's answer; every attempt's Idempotency-Key is kept. */
const refusals: number[] = [];
const attempts: string[] = [];
const pauses: number[] = [];
const disturbed: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  attempts.push(`${request.method} ${request.headers.get('idempotency-key') ?? '-'}`);
  const refusal = refusals.shift();
  if (refusal === 0) {
    // The console does it, and its answer is lost.
    await fetch(request);
    throw new TypeError('connection lost');
  }
  if (refusal !== undefined) return new Response('', { status: refusal, headers: { 'retry-after': '7' } });
  return fetch(request);
};
const open = (key: string): Skytally =>
  new Skytally({
    address: setting('ADDRESS'),
    key,
    fetch: disturbed,
    pause: async (ms) => void pauses.push(ms),
  });
const skytally = open(setting('KEY'));
const failureOf = async (call: Promise<unknown>): Promise<SkytallyError> => {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof SkytallyError) return thrown;
  throw new Error('no SkytallyError', { cause: thrown });
};

const seen: Record<string, unknown> = {};

const { items } = await skytally.identity.listOrganizations({ query: { limit: '10' } });
const one: Organization | undefined = items.find(({ id }) => id === organizationId);
seen['organization'] = one?.name;

// A write whose answers were 503, then lost, then came: done once, with one key.
refusals.push(503, 0);
const service = await skytally.catalogue.createService({
  body: {
    name: 'Counted by the client',
    type: 'API',
    category: 'Own',
    pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
    meter: { eventType: 'client.call', aggregation: 'sum', unit: 'calls' },
  },
});
seen['attempts'] = attempts.slice(-3);
seen['pauses'] = pauses.splice(0);
const services = await skytally.catalogue.adminListServices({ query: { q: 'Counted by the client' } });
seen['services'] = services.total;

const subscription = await skytally.subscriptions.adminSubscribe({
  body: { organizationId, serviceId: service.id, startedAt: setting('STARTED') },
});
const ingested = await open(setting('METERING_KEY')).usage.ingest({
  headers: { 'Content-Type': 'application/cloudevents-batch+json' },
  body: [
    {
      specversion: '1.0',
      id: 'client-1',
      source: '/client',
      type: 'client.call',
      subject: subscription.id,
      time: setting('USED'),
      data: { value: '21' },
    },
  ],
});
seen['ingested'] = ingested;

seen['closed'] = await skytally.billing.closeMonth({ body: { month: setting('MONTH') } });
const bills = [];
for await (const bill of iterate((page) =>
  skytally.billing.adminListBills({ query: { month: setting('MONTH'), limit: '1', ...page } }),
))
  bills.push(bill);
seen['bills'] = bills.length;
const mine = bills.find((each) => each.organizationId === organizationId);
const bill: BillDetail = await skytally.billing.adminGetBill({ path: { billId: mine?.id ?? '' } });
seen['net'] = bill.lines.map(({ total }) => total.amount);
const whole = await skytally.billing.adminGetBill({
  path: { billId: bill.id },
  query: { expand: ['organization', 'history'] },
});
seen['expanded'] = [
  whole.expanded?.organization?.name,
  whole.expanded?.history?.creditNotes.length,
  Object.keys(bill),
];

const unknown = await failureOf(
  skytally.billing.adminGetBill({ path: { billId: `${mine?.id.slice(0, -4) ?? ''}aaaa` } }),
);
seen['unknown'] = {
  name: unknown.name,
  code: unknown.code,
  status: unknown.status,
  message: unknown.message,
  hasRequestId: unknown.requestId !== undefined,
};
const wrong = await failureOf(skytally.catalogue.createService({ body: { name: '' } as never }));
seen['wrong'] = { code: wrong.code, fields: wrong.errors.map(({ field }) => field) };

refusals.push(503, 503, 503, 503, 503);
seen['busy'] = (await failureOf(skytally.catalogue.adminListServices())).code;
refusals.push(400);
seen['attemptsOfRefused'] = await (async () => {
  const before = attempts.length;
  const refused = await failureOf(skytally.catalogue.adminListServices());
  return [refused.code, attempts.length - before];
})();
const elsewhere = new Skytally({
  address: 'http://127.0.0.1:1',
  key: 'key',
  maxAttempts: 2,
  pause: async () => undefined,
});
seen['unreachable'] = (await failureOf(elsewhere.catalogue.adminListServices())).code;

const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
const body = JSON.stringify({
  type: 'bill.issued',
  timestamp: '2026-11-01T00:05:12.000Z',
  data: { number: 'B-1' },
});
const now = Date.parse('2026-11-01T00:05:13Z');
const signed = (at: number): Record<string, string> => ({
  'webhook-id': 'whd_1',
  'webhook-timestamp': String(at),
  'webhook-signature': `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`whd_1.${at}.${body}`)
    .digest('base64')}`,
});
const at = now / 1000;
seen['webhook'] = (await verifyWebhook(secret, signed(at), body, now)).type;
const isRefused = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => false,
    (error: unknown) => error instanceof WebhookSignatureError,
  );
seen['forged'] = [
  await isRefused(verifyWebhook(secret, signed(at), `${body} `, now)),
  await isRefused(verifyWebhook(secret, signed(at - 301), body, now)),
  await isRefused(verifyWebhook(secret, {}, body, now)),
  await isRefused(verifyWebhook(secret, { ...signed(at), 'webhook-signature': 'v1,%%%' }, body, now)),
];
process.stdout.write(JSON.stringify(seen));

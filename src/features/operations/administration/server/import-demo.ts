// The demo data's own services: created after the demo's file is imported, with customers, usage of the last
// months and bills.
import { chunksOf } from '#kernel/chunks.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthOf, monthPeriod, monthsFrom } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { holdMonthsSince, runClose } from '#features/invoicing/billing/server/index.ts';
import { recordUsage } from '#features/metering/usage/server/index.ts';
import { mailLanguage } from '#features/access/identity/server/index.ts';
import { unmetered } from '#features/selling/catalogue/rules.ts';
import {
  addService,
  withDefaults,
  importedServices,
  serviceById,
} from '#features/selling/catalogue/server/index.ts';
import { ensureMeters } from '#features/selling/meters/server/index.ts';
import { adminSubscribe, subscriptionsOf } from '#features/selling/subscriptions/server/index.ts';
import { demoServiceKeys, demoServiceRef, demoServices, type DemoServiceKey } from './demo-services.ts';
import { demoCustomers, demoEvents, type DemoCustomer } from './demo-usage.ts';
import { organizationsByRefs, otherOrganizations, type StoredReport } from './store.ts';

const actor = { kind: 'system', name: 'import-demo' } as const;
/** The number of complete months with usage and bills, besides the current one. */
const pastMonths = 2;
const eventsAtOnce = 500;

type Made = Pick<StoredReport, 'services' | 'priceVersions' | 'subscriptions' | 'events'>;
type Subscribed = {
  readonly id: Id<'sub'>;
  readonly service: DemoServiceKey;
  readonly scale: number;
  readonly startedAt: Date;
};

/**
 * Creates the services with their customers, usage and bills. Repeating it creates nothing twice, because the
 * months are those before the services were created. `refs` are the references of the demo's organizations:
 * months are closed only while there is no other customer.
 */
export async function importDemoServices(app: App, refs: readonly string[]): Promise<Made> {
  const { madeAt, months, subscribed, made } = await unitOfWork(app, { actor }, makeServices);
  let [created, existing] = [0, 0];
  for (const { id, service, scale, startedAt } of subscribed) {
    const events = demoEvents(service, id, scale, startedAt, madeAt);
    for (const some of chunksOf(events, eventsAtOnce)) {
      const results = await unitOfWork(app, { actor }, (ctx) =>
        recordUsage(
          ctx,
          some.map((event) => ({ ...event, source: 'demo', subscriptionId: id, isTimed: true })),
          { organizationId: null, keyId: null },
        ),
      );
      for (const { outcome } of results) {
        if (outcome === 'accepted') created++;
        if (outcome === 'duplicate') existing++;
      }
    }
  }
  const others = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => otherOrganizations(ctx, refs));
  if (others === 0) for (const month of months) await runClose(app, actor, month, 0);
  return { ...made, events: { created, existing } };
}

async function makeServices(ctx: Ctx): Promise<{
  madeAt: Date;
  months: BillingMonth[];
  subscribed: Subscribed[];
  made: Omit<Made, 'events'>;
}> {
  const before = new Map(
    (await importedServices(ctx, demoServiceKeys.map(demoServiceRef))).map((service) => [
      service.externalRef,
      service.id,
    ]),
  );
  const services = new Map<DemoServiceKey, Id<'svc'>>();
  const [first] = before.values();
  const madeAt = first ? required(await serviceById(ctx, first), 'a service of the demo').createdAt : ctx.now;
  const running = monthOf(madeAt, 'UTC');
  const months = monthsFrom(addMonths(running, -pastMonths), pastMonths);
  const { start } = monthPeriod(required(months[0], 'a past month'), 'UTC');
  for (const service of demoServices(ctx, await ctx.setting(mailLanguage))) {
    const ref = demoServiceRef(service.key);
    services.set(service.key, before.get(ref) ?? (await addDemoService(ctx, service, ref, start)));
  }
  const organizations = await organizationsByRefs(
    ctx,
    demoCustomers.map(({ externalRef }) => externalRef),
  );
  const subscribed: Subscribed[] = [];
  let made = 0;
  for (const customer of demoCustomers) {
    const organizationId = organizations.get(customer.externalRef);
    if (!organizationId) continue;
    for (const one of await subscribeAll(ctx, organizationId, customer, services, start)) {
      subscribed.push(one);
      if (one.isNew) made++;
    }
  }
  const created = services.size - before.size;
  return {
    madeAt,
    months,
    subscribed,
    made: {
      services: { created, existing: before.size },
      priceVersions: { created, existing: 0 },
      subscriptions: { created: made, existing: subscribed.length - made },
    },
  };
}

async function addDemoService(
  ctx: Ctx,
  { name, type, description, meters, charges }: ReturnType<typeof demoServices>[number],
  externalRef: string,
  effectiveFrom: Date,
): Promise<Id<'svc'>> {
  await ensureMeters(ctx, meters);
  const { id } = await addService(
    ctx,
    {
      ...withDefaults({
        name,
        type,
        category: ctx.text('administration.demo_category'),
        description,
        meter: unmetered,
        recommended: true,
      }),
      externalRef,
    },
    { model: 'rate_card', currency: 'USD', charges: [...charges] },
    effectiveFrom,
  );
  return id;
}

/** Subscribes a customer to each service to which it has never subscribed; ended subscriptions count too. */
async function subscribeAll(
  ctx: Ctx,
  organizationId: Id<'org'>,
  { scale, services: wanted }: DemoCustomer,
  services: ReadonlyMap<DemoServiceKey, Id<'svc'>>,
  start: Date,
): Promise<(Subscribed & { isNew: boolean })[]> {
  const subscriptions = await subscriptionsOf(ctx.db, organizationId);
  const all: (Subscribed & { isNew: boolean })[] = [];
  for (const service of demoServiceKeys) {
    const order = wanted[service];
    if (!order) continue;
    const serviceId = required(services.get(service), 'a service of the demo');
    const startedAt = new Date(start.getTime() + (order.day - 1) * dayMs);
    const found = subscriptions.find((row) => row.serviceId === serviceId);
    const { quantities } = order;
    const id =
      found?.id ??
      (await adminSubscribe(
        ctx,
        {
          organizationId,
          serviceId,
          startedAt,
          ...(quantities && { quantities: { ...quantities } }),
        },
        { holdMonthsSince },
      ));
    all.push({ id, service, scale, startedAt: found?.startedAt ?? startedAt, isNew: !found });
  }
  return all;
}

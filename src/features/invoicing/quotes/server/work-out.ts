// Evaluates a content against the current catalogue: the offered prices and the estimate, or the errors field
// by field.
import { required } from '#kernel/assert.ts';
import { ValidationError, type FieldError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import { dayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { billLineOf } from '#features/invoicing/billing/server/index.ts';
import { taxationsOf } from '#features/invoicing/taxes/server/index.ts';
import { isChargeKeyOf } from '#features/invoicing/discounts/rules.ts';
import { stackingOrder } from '#features/invoicing/discounts/server/index.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { isAddOn } from '#features/selling/catalogue/rules.ts';
import { chargesOf, servicesByIds, type PriceVersion } from '#features/selling/catalogue/server/index.ts';
import { allMeters } from '#features/selling/meters/server/index.ts';
import { NoRateError } from '#features/selling/rating/rules.ts';
import { countedCharges } from '#features/selling/subscriptions/rules.ts';
import { beginningOf, hasSubscribedBefore, offersFor } from '#features/selling/subscriptions/server/index.ts';
import type { quotesErrors } from '../contract.ts';
import type { OfferedService, QuoteContent, QuoteItem, StoredEstimate } from '../contract-content.ts';
import { planQuote, type PlannedMonth, type QuotedService, type ToEstimate } from '../rules-estimate.ts';
import { contentMistakes } from '../rules.ts';

/** A content with the offered prices and the estimate for acceptance now. */
export type WorkedOut = {
  readonly offered: readonly OfferedService[];
  readonly estimate: StoredEstimate;
};
/** The organization and the currency that a content is offered in. */
export type Receiver = {
  readonly organization: Pick<Organization, 'id' | 'timeZone' | 'taxStatus' | 'country' | 'vatId'>;
  readonly currency: Currency;
};

/** @throws ValidationError naming every invalid field. */
export async function workOut(
  ctx: Ctx,
  { organization, currency }: Receiver,
  content: QuoteContent,
): Promise<WorkedOut> {
  const mistakes = contentMistakes(content, currency);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  const found = await itemsOf(ctx, organization, currency, content);
  const wrongCharges = commitmentChargeMistakes(content, found);
  if (wrongCharges.length > 0) throw new ValidationError(wrongCharges);
  const minimumKey = 'billing.kind_minimum_spend';
  const today = dayOf(ctx.now, organization.timeZone);
  const taxation = (await taxationsOf(ctx, [organization], today))(organization.id);
  const asked: ToEstimate = {
    content,
    services: found.map(({ quoted }) => quoted),
    currency,
    order: await stackingOrder(ctx),
    zone: organization.timeZone,
    taxRate: taxation.standard.rate,
    taxation,
    at: ctx.now,
    minimumName: {
      zhTW: ctx.text(minimumKey, {}, 'zhTW'),
      enUS: ctx.text(minimumKey, {}, 'enUS'),
    },
  };
  return { offered: found.map(({ offered }) => offered), estimate: estimated(asked) };
}

type Found = {
  readonly quoted: QuotedService;
  readonly offered: OfferedService;
  readonly pricing: Pricing;
};

/** The services with their prices for the organization. */
async function itemsOf(
  ctx: Ctx,
  { id: organizationId, timeZone }: Receiver['organization'],
  currency: Currency,
  { items }: QuoteContent,
): Promise<Found[]> {
  const services = new Map<string, Service>(
    (
      await servicesByIds(
        ctx.db,
        items.map(({ serviceId }) => serviceId),
        ctx.now,
      )
    ).map((service) => [service.id, service]),
  );
  const offers = await offersFor(
    ctx,
    [...services.keys()].map((serviceId) => ({ serviceId, organizationId })),
  );
  const units = new Map((await allMeters(ctx)).map(({ key, unit }) => [key, unit]));
  const unitOf = (key: string): string | undefined => units.get(key);
  const mistakes: FieldError[] = [];
  const found: Found[] = [];
  const families = new Set<string>();
  for (const [index, item] of items.entries()) {
    const service = services.get(item.serviceId);
    const plan = service && offers.plan(service.id, organizationId);
    const price = plan && inForce(plan.prices, ctx.now);
    const wrong = itemMistakes(`content.items.${index}`, item, service, price?.pricing, currency);
    mistakes.push(...wrong);
    if (wrong.length > 0 || !service || !plan || !price) continue;
    const hadIt = families.has(service.family) || (await hasSubscribedBefore(ctx, organizationId, service));
    if (service.family !== '') families.add(service.family);
    found.push({
      quoted: {
        item,
        plan,
        unit: service.meter.unit,
        unitOf,
        ...beginningOf(service, ctx.now, timeZone, hadIt),
      },
      offered: offeredOf(service, plan, price, ctx.now, { hadIt, unitOf }),
      pricing: price.pricing,
    });
  }
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  return found;
}

const inForce = (prices: readonly PriceVersion[], now: Date): PriceVersion =>
  required(prices.findLast(({ effectiveFrom }) => effectiveFrom <= now) ?? prices[0], 'a price of a service');

function offeredOf(
  service: Service,
  { prices }: { readonly prices: readonly PriceVersion[] },
  price: PriceVersion,
  now: Date,
  { hadIt, unitOf }: { readonly hadIt: boolean; readonly unitOf: QuotedService['unitOf'] },
): OfferedService {
  const { minimum, maximum } = price.pricing;
  const charges = chargesOf(price.pricing, {
    name: service.name,
    meter: service.meter.eventType,
    billingCycle: service.billingCycle,
  });
  return {
    serviceId: service.id,
    name: service.name,
    units: Object.fromEntries(
      charges.flatMap(({ key, kind, meter }) =>
        kind === 'usage' ? [[key, unitOf(meter ?? '') ?? service.meter.unit]] : [],
      ),
    ),
    charges,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    trialDays: hadIt ? 0 : service.trialDays,
    priceVersionIds: priceIdsOf(prices, price, now),
  };
}

/** The price in force and the known later ones. */
const priceIdsOf = (prices: readonly PriceVersion[], price: PriceVersion, now: Date) => [
  price.id,
  ...prices.filter(({ id, effectiveFrom }) => effectiveFrom > now && id !== price.id).map(({ id }) => id),
];

/** Returns the first service of a version whose prices differ from the offered ones. */
export async function changedPrice(
  ctx: Ctx,
  organizationId: string,
  offered: readonly OfferedService[],
): Promise<OfferedService | undefined> {
  const offers = await offersFor(
    ctx,
    offered.map(({ serviceId }) => ({ serviceId, organizationId })),
  );
  return offered.find(({ serviceId, priceVersionIds }) => {
    const { prices } = offers.plan(serviceId, organizationId);
    return priceIdsOf(prices, inForce(prices, ctx.now), ctx.now).join() !== priceVersionIds.join();
  });
}

type Mistake = FieldError & { readonly code: keyof typeof quotesErrors };

function itemMistakes(
  field: string,
  { quantities = {}, usage = {} }: QuoteItem,
  service: Service | undefined,
  pricing: Pricing | undefined,
  currency: Currency,
): Mistake[] {
  if (!service || !pricing || service.status !== 'active' || service.releaseState === 'Coming Soon')
    return [{ field: `${field}.serviceId`, code: 'quotes.service_unavailable' }];
  const params = { service: service.name };
  if (isAddOn(service)) return [{ field: `${field}.serviceId`, code: 'quotes.add_on', params }];
  if (pricing.currency !== currency)
    return [
      {
        field: `${field}.serviceId`,
        code: 'quotes.service_currency',
        params: { ...params, currency: pricing.currency, other: currency },
      },
    ];
  const unknown = (part: 'quantities' | 'usage', given: object, known: readonly string[]): Mistake[] =>
    Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => ({
        field: `${field}.${part}.${key}`,
        code: 'quotes.charge_unknown',
        params: { ...params, key },
      }));
  return [
    ...unknown(
      'quantities',
      quantities,
      countedCharges(pricing).map(({ key }) => key),
    ),
    ...unknown('usage', usage, usageKeys(pricing)),
  ];
}

/** The charges named by commitments that their service's price does not have. */
function commitmentChargeMistakes({ commitments = [] }: QuoteContent, found: readonly Found[]): Mistake[] {
  const services = new Map<string, Found>(found.map((each) => [each.offered.serviceId, each]));
  return commitments.flatMap(({ scope }, place) =>
    (scope?.charges ?? []).flatMap(({ serviceId, chargeKey }, index): Mistake[] => {
      const { offered, pricing } = required(services.get(serviceId), 'an offered service');
      return isChargeKeyOf(pricing, chargeKey)
        ? []
        : [
            {
              field: `content.commitments.${place}.scope.charges.${index}`,
              code: 'quotes.commitment_charge_unknown',
              params: { service: offered.name, key: chargeKey },
            },
          ];
    }),
  );
}

/** The keys under which usage can be expected; a single price has one. */
function usageKeys(pricing: Pricing): string[] {
  if (pricing.model === 'flat') return [];
  return pricing.model === 'rate_card'
    ? pricing.charges.flatMap(({ key, kind }) => (kind === 'usage' ? key : []))
    : ['usage'];
}

/** Plans the months, and reports which item expects usage that its price has no rate for. */
function estimated(asked: ToEstimate): StoredEstimate {
  const { content, zone, at } = asked;
  const planned = planOrRefuse(asked);
  const stored = ({ month, plan, figures }: PlannedMonth) => ({
    month,
    lines: (plan?.lines ?? []).map((line, index) => ({ ...billLineOf(line, index), steps: [...line.steps] })),
    ...figures,
  });
  return {
    asOf: dayOf(at, zone),
    taxRate: asked.taxRate,
    ...(asked.taxation && asked.taxation.services.size > 0 && { hasSeveralRates: true as const }),
    first: stored(planned.first),
    full: stored(planned.full),
    oneOffs: planned.oneOffs,
    months: content.months,
    contract: planned.contract,
  };
}

function planOrRefuse(asked: ToEstimate) {
  try {
    return planQuote(asked);
  } catch (error) {
    if (!(error instanceof NoRateError)) throw error;
    throw new ValidationError(
      asked.services.flatMap((service, index) =>
        hasRates(asked, service)
          ? []
          : [
              {
                field: `content.items.${index}.usage`,
                code: 'quotes.usage_without_rate',
                params: { service: service.plan.name },
              },
            ],
      ),
    );
  }
}

/** Whether there are rates for the expected usage of one item. */
function hasRates(asked: ToEstimate, service: QuotedService): boolean {
  const none = { oneOffs: [], discounts: [], grants: [], minimumSpend: null };
  try {
    planQuote({ ...asked, services: [service], content: { ...asked.content, ...none, months: 1 } });
    return true;
  } catch (error) {
    if (error instanceof NoRateError) return false;
    throw error;
  }
}

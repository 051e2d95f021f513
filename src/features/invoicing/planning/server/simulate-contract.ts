// A contract simulation: compares the last closed months of a customer on proposed terms with what was
// billed. Changes nothing.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { In } from '#kernel/contract.ts';
import type { Decimal } from '#kernel/decimal.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors, type Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { billedMonths, lastClosedMonths } from '#features/invoicing/billing/server/index.ts';
import { taxationsOf } from '#features/invoicing/taxes/server/index.ts';
import { stackingOrder } from '#features/invoicing/discounts/server/index.ts';
import { billableIn, loadMonths } from '#features/metering/usage/server/index.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { servicesByIds } from '#features/selling/catalogue/server/index.ts';
import type { ChargeOfService } from '#features/invoicing/credit-grants/rules.ts';
import { isChargeKeyOf } from '#features/invoicing/discounts/rules.ts';
import { subscriptionsOfMany } from '#features/selling/subscriptions/server/index.ts';
import type { planning } from '../contract.ts';
import type { ProposedTerms, SimulatedContract } from '../contract-terms.ts';
import { contractMistakes } from '../rules-contract-mistakes.ts';
import {
  growthFactor,
  newSimulation,
  outcomeOf,
  simulateMonth,
  type ClosedMonth,
  type Simulation,
} from '../rules-contract.ts';

/** @throws ValidationError naming every invalid field. */
export async function simulateContract(
  ctx: Ctx,
  input: In<typeof planning.simulateContract>,
): Promise<SimulatedContract> {
  const mistakes = contractMistakes(input);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  const { currency, terms } = input;
  const organization = await organizationById(ctx.db, input.organizationId);
  if (!organization)
    throw domainError(identityErrors, 'identity.organization_not_found', {}, ['organizationId']);
  await assertServices(ctx, terms);
  const months = await lastClosedMonths(ctx, organization.id, input.months);
  const billed = await billedMonths(ctx, organization.id, currency, months);
  const lastMonth = months.at(-1) ?? monthOf(ctx.now, organization.timeZone);
  const today = dayOf(ctx.now, organization.timeZone);
  const taxation = (await taxationsOf(ctx, [organization], today))(organization.id);
  let simulation: Simulation = newSimulation({
    terms,
    currency,
    order: terms.discountOrder ?? (await stackingOrder(ctx)),
    zone: organization.timeZone,
    taxRate: taxation.standard.rate,
    ...(taxation.isStated && { taxation }),
    // Without closed months nothing is simulated.
    lastMonth,
  });
  let hasBegun = false;
  const growth = growthFactor(terms.growthPercent ?? '0');
  for await (const { month, subscriptions } of usedMonths(ctx, organization, months, growth)) {
    // Months before the customer's first subscription are closed, too; no minimum was due in them.
    hasBegun ||= subscriptions.length > 0 || billed.has(month);
    if (!hasBegun) continue;
    simulation = simulateMonth(simulation, { month, subscriptions, billed: billed.get(month) });
    // Yields to other requests between two months.
    await nextTurn();
  }
  return outcomeOf(simulation);
}

/**
 * Yields the usage of an organization's subscriptions in some months, as known now, at the prices that were
 * in force.
 */
async function* usedMonths(
  ctx: Ctx,
  { id }: Organization,
  months: readonly BillingMonth[],
  growth: Decimal,
): AsyncGenerator<Omit<ClosedMonth, 'billed'>> {
  const loaded = await loadMonths(ctx, await subscriptionsOfMany(ctx.db, [id]), months, { growth });
  for (const month of months)
    yield { month, subscriptions: (await billableIn(ctx, loaded, month)).get(id) ?? [] };
}

/** Throws at the field of each discount, credit or commitment that names an unknown service or charge. */
async function assertServices(
  ctx: Ctx,
  { discounts, credits, commitments = [] }: ProposedTerms,
): Promise<void> {
  // The terms that may name single charges.
  const limited = [
    ...credits.map((credit, index) => ({ at: `terms.credits.${index}`, ...credit })),
    ...commitments.map((commitment, index) => ({ at: `terms.commitments.${index}`, ...commitment })),
  ];
  const scopes = [
    ...discounts.map(({ services = [] }, index) => ({
      field: `terms.discounts.${index}.services`,
      services,
    })),
    ...limited.flatMap(({ at, services = [], charges = [] }) => [
      { field: `${at}.services`, services },
      { field: `${at}.charges`, services: charges.map(({ serviceId }) => serviceId) },
    ]),
  ];
  const named = [...new Set(scopes.flatMap(({ services }) => services))];
  if (named.length === 0) return;
  const known = new Map<string, Service>(
    (await servicesByIds(ctx.db, named, ctx.now)).map((service) => [service.id, service]),
  );
  const isCharge = ({ serviceId, chargeKey }: ChargeOfService): boolean => {
    const service = known.get(serviceId);
    return service === undefined || isChargeKeyOf(service.pricing, chargeKey);
  };
  const wrong = [
    ...scopes
      .filter(({ services }) => services.some((id) => !known.has(id)))
      .map(({ field }) => ({ field, code: 'planning.service_unknown' })),
    ...limited.flatMap(({ at, charges = [] }) =>
      charges.every(isCharge) ? [] : [{ field: `${at}.charges`, code: 'planning.charge_unknown' }],
    ),
  ];
  if (wrong.length > 0) throw new ValidationError(wrong);
}

// The input of a rehearsal: a service, a publishable price, and past months.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, eachMonth, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import {
  assertChargeable,
  assertMeters,
  assertSameCurrency,
  serviceById,
} from '#features/selling/catalogue/server/index.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { maxMonths, planningErrors, type planning } from '../contract.ts';
import { monthsMistake } from '../rules.ts';

export type RehearsalInput = Omit<In<typeof planning.exportSimulation>, 'format'>;

const usualMonths = 3;
/** The first time zone in which a month ends. */
const firstZone = 'Pacific/Kiritimati';

/** Validates the input and returns the service and the months. */
export async function validatedRehearsal(
  ctx: Ctx,
  input: RehearsalInput,
): Promise<{ service: Service; months: BillingMonth[] }> {
  const service = await serviceById(ctx, input.serviceId);
  if (!service) throw domainError(planningErrors, 'planning.service_not_found');
  assertChargeable(input, service.pricing);
  await assertMeters(ctx, input.pricing);
  // Amounts in different currencies cannot be compared, and a price cannot be published in another currency.
  assertSameCurrency(input.pricing, service.pricing.currency);
  const to = input.to ?? addMonths(monthOf(ctx.now, await ctx.setting(timeZoneSetting)), -1);
  const from = input.from ?? addMonths(to, 1 - usualMonths);
  const wrong = monthsMistake(from, to, addMonths(monthOf(ctx.now, firstZone), -1));
  if (wrong) throw domainError(planningErrors, wrong, { most: maxMonths }, ['from', 'to']);
  return { service, months: eachMonth(from, to) };
}

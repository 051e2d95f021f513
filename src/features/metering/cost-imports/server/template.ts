// The template "Resold cloud": the meter, and a service whose unit is one currency unit.
import type { In, Out } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { createService } from '#features/selling/catalogue/server/index.ts';
import { ensureMeters } from '#features/selling/meters/server/index.ts';
import { resoldKey, resoldType, type costImports } from '../contract.ts';

/**
 * Creates the service, and the meter if it is missing. Each day's sale is an event whose value is its amount,
 * so one unit costs 1.
 * @throws DomainError `meters.key_taken` when a meter with that key measures something else
 */
export async function createResoldCloud(
  ctx: Ctx,
  { name, currency }: In<typeof costImports.createResoldCloud>,
): Promise<Out<typeof costImports.createResoldCloud>> {
  await ensureMeters(ctx, [
    {
      key: resoldKey,
      name: ctx.text('costs.meter_name'),
      eventType: resoldType,
      aggregation: 'sum',
      unit: ctx.text('costs.meter_unit'),
      dimensions: ['service'],
    },
  ]);
  const { id } = await createService(ctx, {
    name,
    type: ctx.text('costs.service_type'),
    category: ctx.text('costs.service_category'),
    currency,
    charges: [
      {
        key: resoldKey,
        name: {
          zhTW: ctx.text('costs.charge_name', {}, 'zhTW'),
          enUS: ctx.text('costs.charge_name', {}, 'enUS'),
        },
        kind: 'usage',
        meter: resoldKey,
        model: 'per_unit',
        unitPrice: '1',
      },
    ],
  });
  ctx.audit('costs.createResoldCloud', id, { name, currency });
  ctx.publish('system/costs', { kind: 'sources' });
  return { serviceId: id, name };
}

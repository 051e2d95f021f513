// Interim bills: the amount of unbilled usage at which one is issued before the month is over.
import * as z from 'zod/mini';
import { nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, pageOf, pageQuery } from '#kernel/shape.ts';
import { amountOf, AmountToSet } from './contract-amounts.ts';

/** Amounts before tax. */
export const InterimThreshold = amountOf('itt');
export type InterimThreshold = z.output<typeof InterimThreshold>;

const admin = { roles: ['Admin'] } as const;

export const interimRoutes = {
  listInterimThresholds: route({
    method: 'GET',
    path: '/admin/interim-thresholds',
    access: admin,
    isBatchable: true,
    summary: 'List interim bill thresholds',
    description:
      'The amounts of unbilled usage at which interim bills are issued. The threshold for all organizations comes first.',
    input: z.strictObject(pageQuery),
    output: pageOf(InterimThreshold),
  }),
  setInterimThreshold: route({
    method: 'PUT',
    path: '/admin/interim-thresholds',
    access: admin,
    summary: 'Set an interim bill threshold',
    description:
      'An amount before tax, for one organization or (null) for all, in one currency. With a null amount, the organization gets no interim bills.',
    input: AmountToSet,
    output: InterimThreshold,
  }),
  removeInterimThreshold: route({
    method: 'DELETE',
    path: '/admin/interim-thresholds/:thresholdId',
    access: admin,
    summary: 'Remove an interim bill threshold',
    description: 'The threshold for all organizations applies again, if there is one.',
    input: z.strictObject({ thresholdId: id('itt') }),
    output: nothing,
  }),
} as const;

export const interimErrors = {
  'billing.threshold_not_found': 404,
  // Errors of fields.
  'billing.organization_not_found': 404,
  'billing.threshold_not_positive': 400,
  'billing.threshold_other_currency': 400,
  'billing.threshold_needs_amount': 400,
} as const satisfies ErrorTable;

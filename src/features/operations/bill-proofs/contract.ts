// Proofs of bills: everything that a customer needs to recompute a bill without this console.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id } from '#kernel/shape.ts';

/** The most events in one proof; beyond that, the quantities of its lines are included without events. */
export const mostEvents = 200_000;

const ofBill = z.strictObject({ billId: id('bil') });

export const billProofs = contract({
  billProof: route({
    method: 'GET',
    path: '/bills/:billId/proof',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    atOnce: 1,
    perMinute: 10,
    summary: 'Download a bill’s proof',
    description:
      'A signed zip archive with an issued bill, the prices and events behind it, and a program that recalculates it.',
    input: ofBill,
    output: file,
  }),
  adminBillProof: route({
    method: 'GET',
    path: '/admin/bills/:billId/proof',
    access: { roles: ['Admin'] },
    atOnce: 1,
    perMinute: 10,
    summary: 'Download any bill’s proof',
    description:
      'A signed zip archive with the bill, the prices and events behind it, and a program that recalculates it.',
    input: ofBill,
    output: file,
  }),
});

export const billProofErrors = { 'billproofs.bill_not_found': 404 } as const satisfies ErrorTable;

// Proofs of bills: what a customer needs to recompute a bill without this console.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id } from '#kernel/shape.ts';

/** How many events one proof holds; beyond, the quantities of its lines are taken as they stand. */
export const mostEvents = 200_000;

const ofBill = z.strictObject({ billId: id('bil') });

export const billProofs = contract({
  billProof: route({
    method: 'GET',
    path: '/bills/:billId/proof',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    atOnce: 1,
    perMinute: 10,
    summary:
      'An issued bill with the prices and events that it was made of, signed, and a program that recomputes it; a zip archive.',
    input: ofBill,
    output: file,
  }),
  adminBillProof: route({
    method: 'GET',
    path: '/admin/bills/:billId/proof',
    access: { roles: ['Admin'] },
    atOnce: 1,
    perMinute: 10,
    summary: 'The same of any organization’s bill.',
    input: ofBill,
    output: file,
  }),
});

export const billProofErrors = { 'billproofs.bill_not_found': 404 } as const satisfies ErrorTable;

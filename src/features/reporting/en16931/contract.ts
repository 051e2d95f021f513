// EN 16931: bills and credit notes as machine-readable files for the buyer (UBL 2.1, and Factur-X in a PDF).
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, language } from '#kernel/shape.ts';

/**
 * `ubl.xml`: UBL 2.1, as Peppol BIS Billing 3.0 if both parties have an electronic address. `factur-x.pdf`:
 * the PDF with embedded CII.
 */
export const documentNames = ['ubl.xml', 'factur-x.pdf'] as const;
export type DocumentName = (typeof documentNames)[number];

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const admin = { roles: ['Admin'] } as const;
const ofBill = z.strictObject({
  billId: id('bil'),
  document: z.enum(documentNames),
  language: z.optional(language),
});
const ofCreditNote = z.strictObject({
  creditNoteId: id('crn'),
  document: z.enum(documentNames),
  language: z.optional(language),
});

export const en16931 = contract({
  billDocument: route({
    method: 'GET',
    path: '/bills/:billId/documents/:document',
    access: readable,
    atOnce: 2,
    summary: 'Download a bill for e-invoicing',
    description: 'According to EN 16931: UBL 2.1, or Factur-X inside its PDF.',
    input: ofBill,
    output: file,
  }),
  creditNoteDocument: route({
    method: 'GET',
    path: '/credit-notes/:creditNoteId/documents/:document',
    access: readable,
    atOnce: 2,
    summary: 'Download a credit note for e-invoicing',
    description: 'According to EN 16931: UBL 2.1, or Factur-X inside its PDF.',
    input: ofCreditNote,
    output: file,
  }),
  adminBillDocument: route({
    method: 'GET',
    path: '/admin/bills/:billId/documents/:document',
    access: admin,
    atOnce: 2,
    summary: 'Download any bill for e-invoicing',
    description: 'According to EN 16931.',
    input: ofBill,
    output: file,
  }),
  adminCreditNoteDocument: route({
    method: 'GET',
    path: '/admin/credit-notes/:creditNoteId/documents/:document',
    access: admin,
    atOnce: 2,
    summary: 'Download any credit note for e-invoicing',
    description: 'According to EN 16931.',
    input: ofCreditNote,
    output: file,
  }),
});

/** The fields that must be filled in, or why there is no such file. */
export const en16931Errors = {
  'en16931.bill_void': 409,
  'en16931.seller_country': 409,
  'en16931.seller_vat_id': 409,
  'en16931.seller_registration': 409,
  'en16931.seller_address': 409,
  'en16931.buyer_vat_id': 409,
  'en16931.buyer_address': 409,
  'en16931.no_lines': 409,
  'en16931.rule_broken': 409,
} as const satisfies ErrorTable;

// Taxes: rates by country with their first day, how services are taxed, the seller, and checks of VAT ids.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  day,
  exactDecimal,
  id,
  instant,
  optionalText,
  pageOf,
  pageQuery,
  unsignedDecimal,
} from '#kernel/shape.ts';

/** Rates that a country has. */
export const rateCategories = ['standard', 'reduced', 'second_reduced'] as const;
export type RateCategory = (typeof rateCategories)[number];
/**
 * How a service is taxed domestically: at one of the rates, not at all, or as goods, which are taxed at the
 * standard rate and exported.
 */
export const serviceCategories = [...rateCategories, 'zero', 'exempt', 'goods'] as const;
export type ServiceCategory = (typeof serviceCategories)[number];
/**
 * Categories of EN 16931 (UNCL 5305): standard and reduced rates, zero rated, exempt, reverse charge, supply within the EU,
 * export, outside the scope of tax.
 */
export const taxCodes = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCode = (typeof taxCodes)[number];

/** Why there is no tax: in both languages, and by VATEX code if there is one. */
export const ExemptionReason = z.strictObject({
  code: z.optional(z.string()),
  name: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
});
export type ExemptionReason = z.output<typeof ExemptionReason>;
/** How a line is taxed. */
export const LineTax = z.strictObject({
  category: z.enum(taxCodes),
  /** In percent. */
  rate: exactDecimal,
  reason: z.optional(ExemptionReason),
});
export type LineTax = z.output<typeof LineTax>;

export const rateStates = ['current', 'future', 'past'] as const;
export const TaxRate = z.strictObject({
  id: id('txr'),
  country: z.string(),
  category: z.enum(rateCategories),
  /** In percent; null: the rate no longer exists from this day on. */
  rate: z.nullable(exactDecimal),
  validFrom: day,
  /** The last day; null if no later rate follows. */
  validUntil: z.nullable(day),
  state: z.enum(rateStates),
  /** Null for rates that ship with the console. */
  addedBy: z.nullable(z.string()),
});
export type TaxRate = z.output<typeof TaxRate>;

/**
 * The seller, for taxes and electronic documents. Without a country, everything is taxed at the
 * installation's single rate.
 */
export const TaxSeller = z.strictObject({
  country: z.string(),
  vatId: z.string(),
  iban: z.string(),
  bic: z.string(),
  electronicAddress: z.string(),
});
export type TaxSeller = z.output<typeof TaxSeller>;
export const TaxSettings = z.strictObject({
  seller: TaxSeller,
  /** Whether VAT ids of the EU are checked with VIES. */
  isViesOn: z.boolean(),
});
export type TaxSettings = z.output<typeof TaxSettings>;

export const vatCheckStates = ['valid', 'invalid', 'not_checked'] as const;
/**
 * The response of VIES about a VAT id. `not_checked`: VIES or the country's register did not respond; this
 * blocks nothing.
 */
export const VatCheck = z.strictObject({
  id: id('vck'),
  organizationId: id('org'),
  vatId: z.string(),
  state: z.enum(vatCheckStates),
  checkedAt: instant,
  /** The id with which VIES proves the request later; empty without the seller's own VAT id. */
  requestId: z.string(),
  /** As registered; empty if the register does not disclose it. */
  name: z.string(),
  address: z.string(),
});
export type VatCheck = z.output<typeof VatCheck>;

export const ServiceTax = z.strictObject({
  serviceId: id('svc'),
  name: z.string(),
  category: z.enum(serviceCategories),
});
export type ServiceTax = z.output<typeof ServiceTax>;

const admin = { roles: ['Admin'] } as const;
const oneOrganization = { organizationId: id('org') };
const countryCode = z.string().check(z.regex(/^[A-Z]{2}$/));

export const taxes = contract({
  listTaxRates: route({
    method: 'GET',
    path: '/admin/taxes/rates',
    access: admin,
    isBatchable: true,
    summary: 'List tax rates',
    description: 'By country and category, with the days from which they apply.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(rateStates)) }),
    output: pageOf(TaxRate),
  }),
  addTaxRate: route({
    method: 'POST',
    path: '/admin/taxes/rates',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Add a tax rate',
    description:
      'Applies from the given day and ends the previous rate. A null rate ends it without a successor. Issued bills keep their rates.',
    input: z.strictObject({
      country: countryCode,
      category: z.enum(rateCategories),
      rate: z.nullable(unsignedDecimal),
      validFrom: day,
    }),
    output: TaxRate,
  }),
  removeTaxRate: route({
    method: 'DELETE',
    path: '/admin/taxes/rates/:rateId',
    access: admin,
    summary: 'Remove a tax rate',
    description: 'Only before it applies.',
    input: z.strictObject({ rateId: id('txr') }),
    output: nothing,
  }),
  getTaxSettings: route({
    method: 'GET',
    path: '/admin/taxes/settings',
    access: admin,
    isBatchable: true,
    summary: 'Get tax settings',
    description: 'Who sells, and whether VAT IDs are checked with VIES.',
    input: noInput,
    output: TaxSettings,
  }),
  saveTaxSettings: route({
    method: 'PUT',
    path: '/admin/taxes/settings',
    access: admin,
    fresh: true,
    summary: 'Update tax settings',
    description: 'The seller’s country, VAT ID, account, and electronic address, for bills from then on.',
    input: z.strictObject({
      country: z.string().check(z.maxLength(2)),
      vatId: optionalText(40),
      iban: optionalText(50),
      bic: optionalText(11),
      electronicAddress: optionalText(90),
      isViesOn: z.boolean(),
    }),
    output: TaxSettings,
  }),
  listServiceTaxes: route({
    method: 'GET',
    path: '/admin/taxes/services',
    access: admin,
    isBatchable: true,
    summary: 'List service tax categories',
    description: 'How each service is taxed. Services not at the standard rate come first.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(ServiceTax),
  }),
  setServiceTax: route({
    method: 'PUT',
    path: '/admin/taxes/services/:serviceId',
    access: admin,
    summary: 'Set a service’s tax category',
    description: 'Applies from the next bill.',
    input: z.strictObject({ serviceId: id('svc'), category: z.enum(serviceCategories) }),
    output: ServiceTax,
  }),
  organizationTax: route({
    method: 'GET',
    path: '/admin/organizations/:organizationId/tax',
    access: admin,
    isBatchable: true,
    summary: 'Get an organization’s tax',
    description: 'How it’s taxed today at the standard rate, and the latest check of its VAT ID.',
    input: z.strictObject(oneOrganization),
    output: z.strictObject({ tax: LineTax, check: z.nullable(VatCheck), isViesOn: z.boolean() }),
  }),
  checkVatId: route({
    method: 'POST',
    path: '/admin/organizations/:organizationId/vat-check',
    access: admin,
    perMinute: 20,
    atOnce: 2,
    summary: 'Check a VAT ID',
    description: 'Checks an organization’s VAT ID with VIES now and stores the response.',
    input: z.strictObject(oneOrganization),
    output: VatCheck,
  }),
});

export const taxesErrors = {
  'taxes.rate_not_found': 404,
  'taxes.rate_in_force': 409,
  'taxes.rate_exists': 409,
  'taxes.service_not_found': 404,
  'taxes.organization_not_found': 404,
  'taxes.vat_id_missing': 409,
  'taxes.vat_id_outside_eu': 409,
  // Invalid fields: the response names the field (400).
  'taxes.country_unknown': 400,
  'taxes.rate_out_of_range': 400,
  'taxes.standard_needed': 400,
  'taxes.vat_id_wrong': 400,
  'taxes.iban_wrong': 400,
  'taxes.bic_wrong': 400,
  'taxes.electronic_address_wrong': 400,
} as const satisfies ErrorTable;

// Administration: set-up, settings, imports of billing data and the system status.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  email,
  exactDecimal,
  id,
  instant,
  contentLanguage,
  month,
  optionalText,
  pageOf,
  pageQuery,
  text,
  timeZone,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { maxGraceHours } from '#features/invoicing/billing/contract.ts';
import { systemRoutes } from './contract-system.ts';

const admin = { roles: ['Admin'] } as const;

export const importStates = ['waiting', 'running', 'done', 'failed', 'canceled'] as const;

/** How many things an import created, and how many existed already. */
const MadeOrThere = z.strictObject({ created: z.int(), existing: z.int() });

/** Progress and report of one import of a FOCUS file. */
export const FocusImport = z.strictObject({
  id: id('imp'),
  fileName: z.string(),
  state: z.enum(importStates),
  rowsTotal: z.int(),
  rowsDone: z.int(),
  report: z.strictObject({
    /** The months of its rows, earliest first. */
    months: z.array(month),
    organizations: MadeOrThere,
    services: MadeOrThere,
    priceVersions: MadeOrThere,
    subscriptions: MadeOrThere,
    events: MadeOrThere,
    /** Rows that did not become usage events, with the reason's code and message. */
    refused: z.array(
      z.strictObject({
        row: z.int(),
        rowId: z.string(),
        code: z.string(),
        message: z.string(),
        listCost: z.nullable(exactDecimal),
      }),
    ),
    refusedTotal: z.int(),
  }),
  failure: z.nullable(z.string()),
  createdAt: instant,
  finishedAt: z.nullable(instant),
});
export type FocusImport = z.output<typeof FocusImport>;

/**
 * Explains the difference between the bills of a month and the file's ListCost, to the last digit:
 * listCost − refused + rowDifferences = exact; exact + rounding = net.
 */
export const Reconciliation = z.strictObject({
  month,
  items: z.array(
    z.strictObject({
      currency,
      /** Sum of ListCost over all rows of the file in the month. */
      listCost: exactDecimal,
      /** ListCost of rows that are not usage or have no list price. */
      refused: exactDecimal,
      /** Sum over imported rows of PricingQuantity × ListUnitPrice − ListCost: the file's own rounding and tiers. */
      rowDifferences: exactDecimal,
      /** The exact price of the imported quantities. */
      exact: exactDecimal,
      /** The effect of rounding each bill line to the currency's minor unit. */
      rounding: exactDecimal,
      /** Net total of the bills' lines for imported subscriptions. */
      net: exactDecimal,
      tax: exactDecimal,
      total: exactDecimal,
      bills: z.int(),
      lines: z.int(),
      /** The unexplained remainder; "0" when everything adds up. */
      unexplained: exactDecimal,
    }),
  ),
});

/**
 * The settings that an Admin can change. Percentages and days are whole numbers; the tax rate is a decimal in
 * percent.
 */
export const Settings = z.strictObject({
  name: text(60),
  companyPrefix: text(60, 0),
  /** The support address for users; empty: not shown. It is public. */
  supportEmail: z.union([email, z.literal('')]),
  currency,
  timeZone,
  language: contentLanguage,
  taxRate: unsignedDecimal,
  dueDays: z.int().check(z.minimum(0), z.maximum(365)),
  graceHours: z.int().check(z.minimum(0), z.maximum(maxGraceHours)),
  /** How many days a month's pack can be downloaded; it can be created again at any time. */
  packKeepDays: z.int().check(z.minimum(1), z.maximum(90)),
  /**
   * The seller on bills, credit notes and receipts; without a name, the company's or the console's name is
   * printed.
   */
  seller: z.strictObject({
    name: optionalText(160),
    taxId: optionalText(20),
    address: optionalText(300),
    email: z.union([email, z.literal('')]),
  }),
  quotaWarningPercent: z.int().check(z.minimum(1), z.maximum(100)),
  quotaCriticalPercent: z.int().check(z.minimum(1), z.maximum(100)),
  /** How many days rejected usage events are kept. */
  rejectedEventDays: z.int().check(z.minimum(1), z.maximum(365)),
  /**
   * How many whole months before the current one raw usage events are kept; 0: forever. Their rollups always
   * stay.
   */
  eventRetentionMonths: z.int().check(z.minimum(0), z.maximum(600)),
  /**
   * Whether older raw events are moved to files in the console's file store, where event lists still find
   * them.
   */
  archiveEvents: z.boolean(),
  /**
   * Whether the ids of older events are forgotten; then an event with the same id and another time counts
   * again.
   */
  forgetEventIds: z.boolean(),
  /** Days without a successful delivery after which a webhook endpoint is disabled. */
  webhookOffDays: z.int().check(z.minimum(1), z.maximum(30)),
  /** The minimum password length in characters; with a second factor, 8 are enough. */
  minimumPasswordLength: z.int().check(z.minimum(8), z.maximum(64)),
  /** Whether Admins need a second factor before they can use the console. */
  requireAdminTwoFactor: z.boolean(),
  /** Whether the external identity provider may assign the Admin role. */
  providerAllowsAdmin: z.boolean(),
  /** The role of a user to whom the provider assigns none; `refuse`: they cannot sign in. */
  providerDefaultRole: z.enum(['User', 'ReadOnly', 'refuse']),
});
export type Settings = z.output<typeof Settings>;

/**
 * A setting from an environment variable, which no screen can change. `isGiven`: whether it is set there;
 * `value` is null for secrets and for settings that are not set.
 */
export const EnvironmentSetting = z.strictObject({
  name: z.string(),
  isGiven: z.boolean(),
  isSecret: z.boolean(),
  value: z.nullable(z.string()),
});
export type EnvironmentSetting = z.output<typeof EnvironmentSetting>;

/** External services that are configured by environment variables and that an Admin can test. */
export const services = ['google', 'oidc', 'stripe', 'ecpay'] as const;
export type Service = (typeof services)[number];

/** One change of settings: user, time, and each setting's old and new value as JSON. */
export const SettingsChange = z.strictObject({
  id: z.string(),
  at: instant,
  by: z.nullable(z.string()),
  changes: z.array(z.strictObject({ key: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type SettingsChange = z.output<typeof SettingsChange>;

export const administration = contract({
  ...systemRoutes,

  getSettings: route({
    method: 'GET',
    path: '/admin/settings',
    access: admin,
    summary: 'Get settings',
    input: noInput,
    output: Settings,
  }),
  updateSettings: route({
    method: 'PATCH',
    path: '/admin/settings',
    access: admin,
    summary: 'Update settings',
    description: 'Settings that are left out stay as they are. The tax rate is a percentage: 5 means 5%.',
    input: z.partial(Settings),
    output: Settings,
  }),
  settingsHistory: route({
    method: 'GET',
    path: '/admin/settings/history',
    access: admin,
    summary: 'List changes to settings',
    description: 'Who changed what and when, newest first.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(SettingsChange),
  }),
  environment: route({
    method: 'GET',
    path: '/admin/settings/environment',
    access: admin,
    summary: 'Get the environment',
    description: 'What this process’s environment sets. Secrets are never shown.',
    input: noInput,
    output: z.strictObject({
      items: z.array(EnvironmentSetting),
      services: z.array(z.strictObject({ service: z.enum(services), isOn: z.boolean() })),
    }),
  }),
  testService: route({
    method: 'POST',
    path: '/admin/settings/services/:service/test',
    access: admin,
    perMinute: 20,
    atOnce: 2,
    summary: 'Test an external service',
    description: 'Calls it now, without any effect there, and returns its response.',
    input: z.strictObject({ service: z.enum(services) }),
    output: z.strictObject({ isGood: z.boolean(), tookMs: z.int(), message: z.string() }),
  }),

  importFocus: route({
    method: 'POST',
    path: '/admin/imports/focus',
    access: admin,
    status: 202,
    atOnce: 2,
    long: true,
    summary: 'Import a FOCUS file',
    description:
      'Organizations, services, prices, subscriptions, and usage from a FOCUS 1.0 CSV. Safe to repeat.',
    raw: { types: ['text/csv'], maxBytes: 64 * 1024 * 1024 },
    input: z.strictObject({ fileName: z.optional(text(200)) }),
    output: z.strictObject({ id: id('imp') }),
  }),
  importDemo: route({
    method: 'POST',
    path: '/admin/imports/demo',
    access: admin,
    status: 202,
    summary: 'Import demo data',
    description: 'The demo data that comes with the console.',
    input: noInput,
    output: z.strictObject({ id: id('imp') }),
  }),
  listImports: route({
    method: 'GET',
    path: '/admin/imports',
    access: admin,
    summary: 'List imports',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(FocusImport),
  }),
  getImport: route({
    method: 'GET',
    path: '/admin/imports/:importId',
    access: admin,
    summary: 'Get an import',
    description: 'Its progress and report.',
    input: z.strictObject({ importId: id('imp') }),
    output: FocusImport,
  }),
  cancelImport: route({
    method: 'POST',
    path: '/admin/imports/:importId/cancel',
    access: admin,
    summary: 'Cancel an import',
    description: 'What’s already imported stays, and repeating the import continues from there.',
    input: z.strictObject({ importId: id('imp') }),
    output: FocusImport,
  }),
  reconcile: route({
    method: 'GET',
    path: '/admin/imports/reconciliation',
    access: admin,
    atOnce: 2,
    summary: 'Reconcile with imported costs',
    description:
      'Compares a month’s bills with the ListCost of the imported files and explains the difference.',
    input: z.strictObject({ month }),
    output: Reconciliation,
  }),
});

export const administrationErrors = {
  'administration.already_initialized': 409,
  'administration.setup_token_wrong': 403,
  'administration.service_off': 409,
  'administration.import_not_found': 404,
  'administration.import_empty': 422,
  'administration.import_columns_missing': 422,
  'administration.import_not_csv': 422,
  'administration.demo_missing': 404,
  'administration.time_zone_unknown': 422,
  'administration.tax_id_invalid': 422,
  'administration.own_factor_first': 422,
  'administration.thresholds_crossed': 422,
  'administration.import_finished': 409,
  'administration.row_no_usage': 422,
  'administration.row_no_price': 422,
  'administration.row_no_quantity': 422,
  'administration.row_no_account': 422,
  'administration.row_currency_unknown': 422,
  'administration.row_time_invalid': 422,
} as const satisfies ErrorTable;

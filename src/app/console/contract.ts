// The app's own calls, for pages that combine several features; each page needs only one call.
import * as z from 'zod/mini';
import { contract, keyScopes, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, moneyShape, month, pageOf, pageQuery, role, text } from '#kernel/shape.ts';
import { Bill, CurrentBill } from '#features/invoicing/billing/contract.ts';
import { taxStatuses } from '#features/access/identity/contract.ts';
import { Notification } from '#features/messaging/notifications/contract.ts';
import { Balance } from '#features/receivables/payments/contract.ts';
import { QuotaList } from '#features/metering/quotas/contract.ts';
import { Subscription } from '#features/selling/subscriptions/contract.ts';
import { DailyUsage, ExpectedDays, Statistics } from '#features/metering/usage/contract.ts';

const member = { roles: ['User', 'ReadOnly'] } as const;

const MonthCost = z.pick(Statistics, {
  month: true,
  currency: true,
  events: true,
  billed: true,
  previousBilled: true,
});
export type MonthCost = z.output<typeof MonthCost>;

/** Everything that the user dashboard shows (R-BILL-03). */
export const UserDashboard = z.strictObject({
  asOf: instant,
  /** The first few, ordered by urgency. */
  subscriptions: z.strictObject({
    total: z.int(),
    /** How many are neither canceled nor expired. */
    standing: z.int(),
    items: z.array(Subscription),
  }),
  /** The cost of the current month so far, before tax: the same figures as on the billing dashboard. */
  statistics: MonthCost,
  /** The projected cost of the whole month, before tax, at the current rate of usage; null on the first days. */
  expected: z.nullable(moneyShape),
  /** The cost of each of the last 30 days, and the projection for the rest of the month. */
  daily: DailyUsage,
  expectedDays: ExpectedDays,
  current: CurrentBill,
  balance: Balance,
  quotas: QuotaList,
  /** Open bills, the one due first on top. */
  openBills: z.array(Bill),
  notifications: z.strictObject({ unread: z.int(), items: z.array(Notification) }),
  memberLevel: z.string(),
});
export type UserDashboard = z.output<typeof UserDashboard>;

/**
 * Everything that the billing dashboard shows (R-USE-02). `expected` is the projected cost of the remaining
 * days of the month, in the currency of the figures.
 */
export const BillingDashboard = z.strictObject({
  asOf: instant,
  statistics: Statistics,
  daily: DailyUsage,
  expected: ExpectedDays,
  quotas: QuotaList,
  current: CurrentBill,
});
export type BillingDashboard = z.output<typeof BillingDashboard>;

const Measure = z.strictObject({ percent: z.number(), used: z.number(), total: z.number() });

/**
 * Everything that the admin dashboard shows (R-ADM-01). Percentages have one fraction digit; used and total
 * are bytes, for the CPU cores.
 */
export const AdminDashboard = z.strictObject({
  asOf: instant,
  cpu: Measure,
  memory: Measure,
  disk: Measure,
  /** The last hour of this process in percent, one entry per minute, oldest first. */
  history: z.array(z.strictObject({ at: instant, cpu: z.number(), memory: z.number(), disk: z.number() })),
  users: z.strictObject({ active: z.int(), total: z.int() }),
  organizations: z.int(),
  services: z.int(),
  bills: z.strictObject({ open: z.int(), total: z.int() }),
  pendingPayments: z.int(),
  /** Disputed card payments that need evidence, and the payment whose response is due first. */
  disputes: z.strictObject({ open: z.int(), paymentId: z.nullable(id('pay')) }),
  /** Signed events from payment providers that could not be applied and that no Admin has resolved yet. */
  refusedPaymentEvents: z.int(),
  parkedBills: z.int(),
  /** Other Admins' requests that wait for the caller's approval; 0 when the caller may not approve. */
  approvals: z.int(),
  /** Unanswered customer requests for higher quotas. */
  openRaises: z.int(),
  /**
   * Customers whose metering of a service was stopped because prepaid credit is used up, and the one that was
   * stopped first.
   */
  stoppedCustomers: z.strictObject({ count: z.int(), organizationId: z.nullable(id('org')) }),
  /** Rejected usage events that were neither corrected nor dismissed. */
  rejectedEvents: z.int(),
  /** Connectors whose last pull failed. */
  failingConnectors: z.int(),
  /** Resources that exist but are not billed, and resources that are billed but do not exist; without ignored ones. */
  reconciliation: z.strictObject({ unbilled: z.int(), ghosts: z.int() }),
  liveClients: z.int(),
  outboxWaiting: z.int(),
  /** Outbox messages that failed permanently. */
  outboxParked: z.int(),
  /**
   * Jobs that are ready to run, and for how many seconds the oldest of them and the oldest message have
   * waited.
   */
  jobsWaiting: z.int(),
  jobLagSeconds: z.int(),
  outboxLagSeconds: z.int(),
  /** Requests and jobs in the last 24 hours that failed with an unexpected error. */
  faults: z.int(),
  adminsWithoutFactor: z.int(),
  /**
   * When a backup was last verified by restoring it, whether a backup has failed since, and the age of that
   * verification in hours; null when there is none.
   */
  backup: z.strictObject({
    lastProvenAt: z.nullable(instant),
    hasFailed: z.boolean(),
    ageHours: z.nullable(z.int()),
    isOn: z.boolean(),
  }),
  databaseBytes: z.number(),
  version: z.string(),
  startedAt: instant,
});
export type AdminDashboard = z.output<typeof AdminDashboard>;

/** `past_due` and `suspended` suspend the organization's subscriptions (for unpaid bills, or by an Admin). */
export const organizationStates = ['active', 'past_due', 'suspended', 'closed'] as const;

/** Worst first. */
export const creditStates = ['reached', 'near'] as const;

export const OrganizationAccount = z.strictObject({
  id: id('org'),
  name: z.string(),
  taxId: z.string(),
  taxStatus: z.enum(taxStatuses),
  state: z.enum(organizationStates),
  /** Since when it is in this state; null when it is active. */
  stateSince: z.nullable(instant),
  /** Why an Admin suspended or closed it; empty when no Admin did. */
  reason: z.string(),
  /** Whether it is also suspended for unpaid bills, which an Admin cannot lift here. */
  isDunned: z.boolean(),
  members: z.int(),
  subscriptions: z.int(),
  openBills: z.int(),
  keys: z.int(),
  /** Its prepaid and owed amounts by currency, without zeros. */
  balances: z.array(moneyShape),
  owed: z.array(moneyShape),
  /** Services whose metering was stopped because prepaid credit is used up. */
  stopped: z.array(z.strictObject({ service: z.string(), since: instant })),
  /** Whether it is near or at a credit limit, as of a few minutes ago; null when it is within its limit or has none. */
  credit: z.nullable(z.enum(creditStates)),
  createdAt: instant,
});
export type OrganizationAccount = z.output<typeof OrganizationAccount>;

/** How much demo data exists, and how many organizations are not part of it. */
export const DemoData = z.strictObject({
  organizations: z.int(),
  others: z.int(),
  services: z.int(),
  subscriptions: z.int(),
  bills: z.int(),
  people: z.int(),
});
export type DemoData = z.output<typeof DemoData>;

const admin = { roles: ['Admin'] } as const;
const oneOrganization = { organizationId: id('org') };
const because = { reason: text(300, 5) };

/** `stopped`: metering of a service was stopped because prepaid credit is used up. */
export const meteringStates = ['stopped'] as const;

const organizationRoutes = {
  listOrganizationAccounts: route({
    method: 'GET',
    path: '/admin/organization-accounts',
    access: admin,
    summary: 'List organizations with their accounts',
    description:
      'Members, subscriptions, balance, amount due, and status of every organization. Searchable by name, tax ID, and external reference.',
    input: z.strictObject({
      ...pageQuery,
      state: z.optional(z.enum(organizationStates)),
      metering: z.optional(z.enum(meteringStates)),
      credit: z.optional(z.enum(creditStates)),
    }),
    output: pageOf(OrganizationAccount),
  }),
  getOrganizationAccount: route({
    method: 'GET',
    path: '/admin/organization-accounts/:organizationId',
    access: admin,
    summary: 'Get an organization with its account',
    input: z.strictObject(oneOrganization),
    output: OrganizationAccount,
  }),
  suspendOrganization: route({
    method: 'POST',
    path: '/admin/organization-accounts/:organizationId/suspend',
    access: admin,
    summary: 'Suspend an organization',
    description:
      'As unpaid bills would: usage is rejected, quotas deny, fees stop, and nothing new can start. Its people can still sign in, pay, and leave.',
    input: z.strictObject({ ...oneOrganization, ...because }),
    output: OrganizationAccount,
  }),
  resumeOrganization: route({
    method: 'POST',
    path: '/admin/organization-accounts/:organizationId/resume',
    access: admin,
    summary: 'End an organization’s suspension',
    description: 'Only one imposed by an Admin. Restrictions due to unpaid bills stay.',
    input: z.strictObject(oneOrganization),
    output: OrganizationAccount,
  }),
  closeOrganization: route({
    method: 'POST',
    path: '/admin/organization-accounts/:organizationId/close',
    access: admin,
    fresh: true,
    summary: 'Close an organization',
    description:
      'Requires that it has no subscriptions, nothing due, and no balance. Its people are deactivated, and its keys and invitations revoked.',
    input: z.strictObject({ ...oneOrganization, ...because }),
    output: OrganizationAccount,
  }),
  reopenOrganization: route({
    method: 'POST',
    path: '/admin/organization-accounts/:organizationId/reopen',
    access: admin,
    summary: 'Reopen an organization',
    description: 'Its people stay deactivated until you activate them, and keys have to be created again.',
    input: z.strictObject(oneOrganization),
    output: OrganizationAccount,
  }),
};

/** The last twelve complete months, oldest first; currencies without bills in a month are omitted. */
export const BilledByMonth = z.strictObject({
  months: z.array(z.strictObject({ month, billed: z.array(moneyShape) })),
});
export type BilledByMonth = z.output<typeof BilledByMonth>;

export const consoleErrors = {
  'console.organization_not_found': 404,
  'console.organization_closed': 409,
  'console.organization_open': 409,
  'console.organization_not_suspended': 409,
  'console.organization_unsettled': 409,
  'console.organization_pays': 409,
  'console.demo_mixed': 409,
  'console.demo_none': 409,
} as const satisfies ErrorTable;

export const consoleContract = contract({
  ...organizationRoutes,
  userDashboard: route({
    method: 'GET',
    path: '/user/dashboard',
    access: { roles: ['User'] },
    summary: 'Get the user dashboard',
    description: 'Everything that it shows.',
    input: noInput,
    output: UserDashboard,
  }),
  billingDashboard: route({
    method: 'GET',
    path: '/billing/dashboard',
    access: { ...member, apiKey: 'read' },
    summary: 'Get the billing dashboard',
    description: 'Everything that it shows.',
    input: noInput,
    output: BillingDashboard,
  }),
  adminDashboard: route({
    method: 'GET',
    path: '/admin/dashboard',
    access: { roles: ['Admin'] },
    summary: 'Get the Admin dashboard',
    description: 'The state of the machine, and what needs attention.',
    input: noInput,
    output: AdminDashboard,
  }),
  billedByMonth: route({
    method: 'GET',
    path: '/admin/billed-by-month',
    access: { roles: ['Admin'] },
    summary: 'Get billed amounts by month',
    description:
      'What was billed in each of the last twelve months before tax, minus credit notes, excluding voided bills.',
    input: noInput,
    output: BilledByMonth,
  }),
  demoData: route({
    method: 'GET',
    path: '/admin/demo-data',
    access: { roles: ['Admin'] },
    summary: 'Get the demo data’s status',
    description: 'How much of it there is, and how many organizations aren’t part of it.',
    input: noInput,
    output: DemoData,
  }),
  removeDemoData: route({
    method: 'DELETE',
    path: '/admin/demo-data',
    access: { roles: ['Admin'] },
    fresh: true,
    summary: 'Remove the demo data',
    description:
      'Also removes everything that was tried with it, as long as every organization is part of the demo. The books start over.',
    input: noInput,
    output: DemoData,
  }),
  permissions: route({
    method: 'GET',
    path: '/admin/permissions',
    access: { roles: ['Admin'] },
    summary: 'List permissions',
    description: 'Which role can make which call: the table that the server enforces.',
    input: z.strictObject({ language: z.optional(language) }),
    output: z.strictObject({
      routes: z.array(
        z.strictObject({
          feature: z.string(),
          name: z.string(),
          method: z.string(),
          path: z.string(),
          /** The title of the call, in the language of the request. */
          summary: z.string(),
          access: z.enum(['public', 'cookie', 'roles']),
          roles: z.array(role),
          keyScopes: z.array(z.enum(keyScopes)),
        }),
      ),
      users: z.array(z.strictObject({ role, count: z.int() })),
    }),
  }),
});

// The roof's own calls: pages that mix columns, each with one call for all it shows.
import * as z from 'zod/mini';
import { contract, keyScopes, noInput, route } from '#kernel/contract.ts';
import { instant, moneyShape, role } from '#kernel/shape.ts';
import { Bill, CurrentBill } from '#features/billing/contract.ts';
import { Notification } from '#features/notifications/contract.ts';
import { Balance } from '#features/payments/contract.ts';
import { QuotaList } from '#features/quotas/contract.ts';
import { Subscription } from '#features/subscriptions/contract.ts';
import { DailyUsage, Statistics } from '#features/usage/contract.ts';

const member = { roles: ['User', 'ReadOnly'] } as const;

/** Everything the user dashboard shows (R-BILL-03). */
export const UserDashboard = z.strictObject({
  asOf: instant,
  /** A few of all, those that need attention first. */
  subscriptions: z.strictObject({ total: z.int(),
    /** Those that are not over: canceled and expired ones are no services any more. */
    standing: z.int(), items: z.array(Subscription) }),
  /** What the month is expected to cost at its end, before tax, at the present pace; null without enough days. */
  expected: z.nullable(moneyShape),
  current: CurrentBill,
  balance: Balance,
  quotas: QuotaList,
  /** Open bills, the one due first on top. */
  openBills: z.array(Bill),
  notifications: z.strictObject({ unread: z.int(), items: z.array(Notification) }),
  memberLevel: z.string(),
});
export type UserDashboard = z.output<typeof UserDashboard>;

/** Everything the billing dashboard shows (R-USE-02). */
export const BillingDashboard = z.strictObject({ asOf: instant, statistics: Statistics, daily: DailyUsage, quotas: QuotaList, current: CurrentBill });
export type BillingDashboard = z.output<typeof BillingDashboard>;

const Measure = z.strictObject({ percent: z.number(), used: z.number(), total: z.number() });

/** Everything the admin dashboard shows (R-ADM-01). Percentages have one fraction digit; used and total are bytes, for the CPU cores. */
export const AdminDashboard = z.strictObject({
  asOf: instant,
  cpu: Measure, memory: Measure, disk: Measure,
  /** The last hour of this process, minute by minute, in percent; the oldest first. */
  history: z.array(z.strictObject({ at: instant, cpu: z.number(), memory: z.number(), disk: z.number() })),
  users: z.strictObject({ active: z.int(), total: z.int() }),
  organizations: z.int(),
  services: z.int(),
  bills: z.strictObject({ open: z.int(), total: z.int() }),
  pendingPayments: z.int(),
  parkedBills: z.int(),
  /** Requests for higher quotas that wait for an answer. */
  openRaises: z.int(),
  /** Usage events that were refused and wait for somebody. */
  rejectedEvents: z.int(),
  liveClients: z.int(),
  outboxWaiting: z.int(),
  /** Messages that were given up after many attempts. */
  outboxParked: z.int(),
  /** Jobs that could begin, and how many seconds the oldest of them and the oldest message have waited. */
  jobsWaiting: z.int(), jobLagSeconds: z.int(), outboxLagSeconds: z.int(),
  /** Requests and jobs that failed by a fault of the console within a day. */
  faults: z.int(),
  adminsWithoutFactor: z.int(),
  databaseBytes: z.number(),
  version: z.string(),
  startedAt: instant,
});
export type AdminDashboard = z.output<typeof AdminDashboard>;

export const consoleContract = contract({
  userDashboard: route({ method: 'GET', path: '/user/dashboard', access: { roles: ['User'] }, summary: 'Everything the user dashboard shows.', input: noInput, output: UserDashboard }),
  billingDashboard: route({ method: 'GET', path: '/billing/dashboard', access: { ...member, apiKey: 'read' }, summary: 'Everything the billing dashboard shows.', input: noInput, output: BillingDashboard }),
  adminDashboard: route({ method: 'GET', path: '/admin/dashboard', access: { roles: ['Admin'] }, summary: 'State of the machine and what needs attention.', input: noInput, output: AdminDashboard }),
  permissions: route({
    method: 'GET', path: '/admin/permissions', access: { roles: ['Admin'] }, summary: 'Which role may call what: the table that the server enforces.', input: noInput,
    output: z.strictObject({
      routes: z.array(z.strictObject({ feature: z.string(), name: z.string(), method: z.string(), path: z.string(), summary: z.string(), access: z.enum(['public', 'cookie', 'roles']), roles: z.array(role), keyScopes: z.array(z.enum(keyScopes)) })),
      users: z.array(z.strictObject({ role, count: z.int() })),
    }),
  }),
});

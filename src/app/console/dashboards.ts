// Calls for pages that combine several features.
import { failingConnectors } from '#features/metering/connectors/server/index.ts';
import { findingTotals } from '#features/metering/reconciliation/server/index.ts';
import { scopesOf, type In, type Out } from '#kernel/contract.ts';
import { decimal } from '#kernel/decimal.ts';
import { moneyDecimal, roundToMoney } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, addMonths, dayOf, monthOf, monthsFrom } from '#kernel/time.ts';
import { hourMs } from '#kernel/durations.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { feature, type Feature } from '#platform/server/unit-of-work/feature.ts';
import { cpuMeter, disk, memory } from '#platform/server/monitoring/machine.ts';
import { version } from '#platform/server/version.ts';
import { backupState } from '#features/operations/backups/server/index.ts';
import { isForeseeable } from '#features/metering/budgets/rules.ts';
import { currentBill, holdMonthsSince, listBills } from '#features/invoicing/billing/server/index.ts';
import { countToDecide } from '#features/access/approvals/server/index.ts';
import { organizationById, profile, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { expectedDays } from '#features/metering/insights/server/index.ts';
import { listNotifications } from '#features/messaging/notifications/server/index.ts';
import { balance, countOpenRefusedNotices } from '#features/receivables/payments/server/index.ts';
import { listQuotas, quotasNow } from '#features/metering/quotas/server/index.ts';
import { countRejected } from '#features/metering/rejections/server/index.ts';
import { subscriptionVerbs } from '#features/selling/subscriptions/server/index.ts';
import { daily, statistics, uncountedSince, usedNow } from '#features/metering/usage/server/index.ts';
import { isTaken, knownOf, withdrawnSetting } from '../grants/grants.ts';
import {
  consoleContract,
  consoleErrors,
  type AdminDashboard,
  type BilledByMonth,
  type BillingDashboard,
  type UserDashboard,
} from './contract.ts';
import { callTitle } from './call-title.ts';
import { demoVerbs } from './demo.ts';
import { organizationVerbs } from './organizations.ts';
import {
  billedBetween,
  oldestWaiting,
  standingSubscriptions,
  stoppedCustomers,
  totals,
  usersByRole,
  waitingDisputes,
} from './store.ts';
import { sortByUrgency } from './sort-by-urgency.ts';

const shownSubscriptions = 6;
/** The subscriptions shown are chosen from this many. */
const lookedAtSubscriptions = 100;
const shownNotifications = 5;
const dashboardDays = 30;
const { listSubscriptions } = subscriptionVerbs({
  usedNow,
  quotasNow,
  uncountedSince,
  holdMonthsSince,
});

async function userDashboard(ctx: Ctx): Promise<UserDashboard> {
  const organizationId = tenant(ctx);
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the actor’s organization');
  const today = dayOf(ctx.now, timeZone);
  const [subscriptions, standing, figures, days, current, funds, quotas, bills, inbox, self] =
    await Promise.all([
      listSubscriptions(ctx, { limit: lookedAtSubscriptions }),
      standingSubscriptions(ctx, organizationId),
      statistics(ctx, {}),
      lastDays(ctx, today),
      currentBill(ctx),
      balance(ctx),
      listQuotas(ctx),
      listBills(ctx, { state: 'open', sort: 'issuedAt' }),
      listNotifications(ctx, { limit: shownNotifications }),
      profile(ctx),
    ]);
  return {
    asOf: ctx.now,
    subscriptions: {
      total: subscriptions.total,
      standing,
      items: sortByUrgency(
        subscriptions.items.filter((each) => each.state !== 'canceled'),
        quotas.items,
      ).slice(0, shownSubscriptions),
    },
    statistics: {
      month: figures.month,
      currency: figures.currency,
      events: figures.events,
      billed: figures.billed,
      previousBilled: figures.previousBilled,
    },
    expected: expectedCost(today, figures),
    daily: days,
    expectedDays: await expectedDays(ctx, figures.currency),
    current,
    balance: funds,
    quotas,
    openBills: bills.items,
    notifications: { unread: inbox.unread, items: inbox.items },
    memberLevel: self.memberLevel,
  };
}

/** The projected cost of the month; undefined on its first days, which are too few for an estimate. */
function expectedCost(
  today: LocalDay,
  { billed, projectedCost: { currency, ...projected } }: Awaited<ReturnType<typeof statistics>>,
): UserDashboard['expected'] {
  const expected = decimal(projected.amount);
  const completeDays = Number(today.slice(8)) - 1;
  return isForeseeable({
    actual: moneyDecimal(billed),
    expected,
    low: decimal(projected.low),
    high: decimal(projected.high),
    completeDays,
  })
    ? roundToMoney(expected, currency)
    : null;
}

const lastDays = (ctx: Ctx, today: LocalDay) =>
  daily(ctx, { from: addDays(today, 1 - dashboardDays), to: today });

async function billingDashboard(ctx: Ctx): Promise<BillingDashboard> {
  const organization = required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization');
  const today = dayOf(ctx.now, organization.timeZone);
  const [figures, days, quotas, current] = await Promise.all([
    statistics(ctx, {}),
    lastDays(ctx, today),
    listQuotas(ctx),
    currentBill(ctx),
  ]);
  return {
    asOf: ctx.now,
    statistics: figures,
    daily: days,
    expected: await expectedDays(ctx, figures.currency),
    quotas,
    current,
  };
}

const revenueMonths = 12;

async function billedByMonth(ctx: Ctx): Promise<BilledByMonth> {
  const running = monthOf(ctx.now, await ctx.setting(timeZoneSetting));
  const months = monthsFrom(addMonths(running, -revenueMonths), revenueMonths);
  const found = await billedBetween(
    ctx,
    required(months[0], 'the first month'),
    required(months.at(-1), 'the last month'),
  );
  return {
    months: months.map((month) => ({
      month,
      billed: found.filter((each) => each.month === month).map(({ billed }) => billed),
    })),
  };
}

/** A failure is shown until a later backup has been verified. */
function backupView(
  { lastProvenAt, lastFailure, nextAt }: Awaited<ReturnType<typeof backupState>>,
  now: Date,
): AdminDashboard['backup'] {
  return {
    lastProvenAt,
    hasFailed: lastFailure !== null && (lastProvenAt === null || lastFailure.at > lastProvenAt),
    ageHours: lastProvenAt && Math.floor((now.getTime() - lastProvenAt.getTime()) / hourMs),
    isOn: nextAt !== null,
  };
}

/** Creates the app's own feature. `features` are all other features, for the permission table. */
export function consoleFeature(features: () => readonly Feature[]): Feature {
  const cpu = cpuMeter();
  const adminDashboard = async (ctx: Ctx): Promise<AdminDashboard> => {
    const [all, memoryNow, diskNow, rejectedEvents, oldest] = await Promise.all([
      totals(ctx),
      memory(),
      disk(ctx.app.config.dataDir),
      countRejected(ctx, null, {}),
      oldestWaiting(ctx),
    ]);
    const [backup, disputes, stopped, refusedPaymentEvents, failing, { counts }, approvals] =
      await Promise.all([
        backupState(ctx),
        waitingDisputes(ctx),
        stoppedCustomers(ctx),
        countOpenRefusedNotices(ctx),
        failingConnectors(ctx),
        findingTotals(ctx),
        countToDecide(ctx),
      ]);
    return {
      asOf: ctx.now,
      cpu: cpu(),
      memory: memoryNow,
      disk: diskNow,
      users: { active: all.active, total: all.users },
      organizations: all.organizations,
      services: all.services,
      bills: { open: all.billsOpen, total: all.bills },
      pendingPayments: all.pendingPayments,
      disputes,
      refusedPaymentEvents,
      parkedBills: all.parkedBills,
      approvals,
      openRaises: all.openRaises,
      stoppedCustomers: stopped,
      rejectedEvents,
      failingConnectors: failing,
      reconciliation: { unbilled: counts.unbilled, ghosts: counts.ghost },
      liveClients: ctx.app.vitals.live().clients,
      history: ctx.app.vitals.readings().map(({ at, cpu: cpuThen, memory: memoryThen, disk: diskThen }) => ({
        at,
        cpu: cpuThen,
        memory: memoryThen,
        disk: diskThen,
      })),
      outboxWaiting: all.outboxWaiting,
      outboxParked: all.outboxParked,
      jobsWaiting: all.jobsWaiting,
      jobLagSeconds: oldest.jobs,
      outboxLagSeconds: Math.max(0, oldest.outbox),
      faults: all.faults,
      backup: backupView(backup, ctx.now),
      adminsWithoutFactor: all.adminsWithoutFactor,
      databaseBytes: all.databaseBytes,
      version,
      startedAt: ctx.app.vitals.startedAt,
    };
  };
  const permissions = async (
    ctx: Ctx,
    { language }: In<typeof consoleContract.permissions>,
  ): Promise<Out<typeof consoleContract.permissions>> => {
    const withdrawn = knownOf(await ctx.setting(withdrawnSetting));
    const routes = features().flatMap((each) =>
      Object.entries(each.contract).map(([name, route]) => ({
        feature: each.name,
        name,
        method: route.method,
        path: `/api${route.path}`,
        summary: callTitle(ctx, `${each.name}.${name}`, route, language),
        access: typeof route.access === 'string' ? route.access : ('roles' as const),
        roles:
          typeof route.access === 'string'
            ? []
            : route.access.roles.filter((role) => !isTaken(withdrawn, `${each.name}.${name}`, role)),
        keyScopes: [...scopesOf(route.access)],
      })),
    );
    return { routes, users: await usersByRole(ctx) };
  };
  return feature({
    name: 'console',
    contract: consoleContract,
    errors: consoleErrors,
    verbs: {
      ...organizationVerbs,
      ...demoVerbs,
      userDashboard,
      billingDashboard,
      adminDashboard,
      billedByMonth,
      permissions,
    },
  });
}

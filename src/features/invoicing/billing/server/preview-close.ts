// The preview of a month close: the same plans, summed up and compared with the previous month, with nothing
// issued.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthPeriod } from '#kernel/time.ts';
import * as z from 'zod/mini';
import { isDatabaseUnavailable } from '#platform/server/database/unavailable.ts';
import type { Actor, Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { billingErrors, ClosePreview, type billing } from '../contract.ts';
import { PreviewSum, type PreviewedBill } from '../rules-preview.ts';
import type { BillPlan } from '../rules.ts';
import { reasonOf } from './close-month.ts';
import { assertIssuable } from './new-bill.ts';
import { planMonth } from './plan-month.ts';
import { countUnclosed, unclosedAfter } from './store-late.ts';
import {
  addToRun,
  finishRun,
  insertRun,
  newestPreview,
  totalsOfMonth,
  type EarlierTotal,
} from './store-runs.ts';

const chunkSize = 500;
const maxFailing = 50;
type Failing = ClosePreview['failing'];

/**
 * Computes what closing the month would issue now for all organizations that are not closed yet; also works
 * for the current month so far.
 */
export async function previewClose(
  ctx: Ctx,
  input: In<typeof billing.previewClose>,
): Promise<Out<typeof billing.previewClose>> {
  if (monthPeriod(input.month, 'Pacific/Kiritimati').start > ctx.now)
    throw domainError(billingErrors, 'billing.month_not_begun');
  return { runId: await runPreview(ctx.app, ctx.actor, input.month) };
}

async function runPreview(app: App, actor: Actor, month: BillingMonth): Promise<Id<'run'>> {
  const total = await unitOfWork(app, { actor, mode: 'read' }, (ctx) => countUnclosed(ctx, month));
  const runId = await unitOfWork(app, { actor }, (ctx) => insertRun(ctx, 'preview', month, total));
  const [sum, failing]: [PreviewSum, Failing] = [new PreviewSum(), []];
  let isStopped = false;
  for (let after: Id<'org'> | null = null; !isStopped;) {
    const ids: readonly Id<'org'>[] = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      unclosedAfter(ctx, month, after, chunkSize),
    );
    after = ids.at(-1) ?? null;
    if (after === null) break;
    const bills = await previewSome(app, actor, month, ids, failing);
    for (const bill of bills) sum.add(bill);
    isStopped = await unitOfWork(app, { actor }, async (ctx) => {
      ctx.publish('system/billing', { kind: 'progress' });
      return addToRun(ctx, runId, {
        organizations: ids.length,
        issued: bills.filter((bill) => bill.total !== null).length,
      });
    });
  }
  await unitOfWork(app, { actor }, async (ctx) => {
    await finishRun(
      ctx,
      runId,
      isStopped
        ? { state: 'stopped' }
        : { state: 'done', report: z.encode(ClosePreview, { ...sum.report(), failing }) },
    );
    ctx.publish('system/billing', { kind: 'progress' });
  });
  return runId;
}

/**
 * Previews a chunk as a whole; if it fails, one organization at a time, so that only those that cause the
 * error are listed, as a close would record them as failed.
 */
async function previewSome(
  app: App,
  actor: Actor,
  month: BillingMonth,
  ids: readonly Id<'org'>[],
  failing: Failing,
): Promise<PreviewedBill[]> {
  try {
    return await unitOfWork(app, { actor, mode: 'snapshot' }, (ctx) => previewChunk(ctx, month, ids));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    if (ids.length > 1) {
      const bills: PreviewedBill[] = [];
      for (const id of ids) bills.push(...(await previewSome(app, actor, month, [id], failing)));
      return bills;
    }
    app.log.warn(
      { err: error, organizationId: ids[0] },
      'an organization could not be billed if the month were closed now',
    );
    await unitOfWork(app, { actor, mode: 'read' }, async (ctx) => {
      const [organization] = await organizationsByIds(ctx, ids);
      if (organization && failing.length < maxFailing)
        failing.push({
          organizationId: organization.id,
          organization: organization.name,
          reason: ctx.text(reasonOf(error)),
        });
    });
    return [];
  }
}

async function previewChunk(
  ctx: Ctx,
  month: BillingMonth,
  ids: readonly Id<'org'>[],
): Promise<PreviewedBill[]> {
  const organizations = await organizationsByIds(ctx, ids);
  const before = Map.groupBy(
    await totalsOfMonth(ctx, ids, addMonths(month, -1)),
    (bill) => bill.organizationId,
  );
  const planned = await planMonth(ctx, month, organizations);
  return organizations.flatMap((organization) => {
    const earlier = before.get(organization.id) ?? [];
    const others = planned.others.get(organization.id) ?? [];
    // What others pay for single subscriptions is on separate bills, each compared with the same payer's
    // previous one.
    const payerIds = new Set([
      ...others.map(({ payer }): string | null => payer.id),
      ...earlier.map(({ payerId }) => payerId),
    ]);
    payerIds.delete(null);
    const parts: { readonly payerId: string | null; readonly plans: readonly BillPlan[] }[] = [
      { payerId: null, plans: planned.plans.get(organization.id) ?? [] },
      ...[...payerIds].map((payerId) => ({
        payerId,
        plans: others.find(({ payer }) => payer.id === payerId)?.plans ?? [],
      })),
    ];
    return parts.flatMap(({ payerId, plans }) =>
      previewPart(
        organization,
        plans,
        earlier.filter((bill) => bill.payerId === payerId),
      ),
    );
  });
}

/** Compares the planned bills of one payer with its bills of the previous month, one per currency. */
function previewPart(
  organization: Organization,
  plans: readonly BillPlan[],
  earlier: readonly EarlierTotal[],
): PreviewedBill[] {
  plans.forEach(assertIssuable);
  const currencies = new Set([
    ...plans.map((plan) => plan.currency),
    ...earlier.map((bill) => bill.currency),
  ]);
  return [...currencies].map((currency): PreviewedBill => {
    const plan = plans.find((each) => each.currency === currency);
    const previous = earlier.find((each) => each.currency === currency);
    return {
      organizationId: organization.id,
      organization: organization.name,
      currency,
      net: plan?.net ?? null,
      tax: plan?.tax ?? null,
      total: plan?.total ?? null,
      previousTotal: previous ? money(previous.minor, currency) : null,
    };
  });
}

/** Returns the latest preview of a month. */
export async function getPreview(
  ctx: Ctx,
  input: In<typeof billing.getPreview>,
): Promise<Out<typeof billing.getPreview>> {
  const found = await newestPreview(ctx, input.month);
  if (!found) return { run: null, preview: null };
  return {
    run: found.run,
    preview:
      found.report === null ? null : z.decode(ClosePreview, found.report as z.input<typeof ClosePreview>),
  };
}

// The job of e-invoices: plans changed bills, assigns numbers, sends what is due, and warns of deadlines.
import { hourMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { notifyLate } from './notices.ts';
import { assignNumbers } from './numbers.ts';
import { einvoiceActor, planChanged } from './plan.ts';
import type { EInvoiceProvider } from './provider.ts';
import { sendDue } from './send.ts';
import { einvoiceSetting, providerNow, type CreateProvider } from './settings.ts';
import { sendWaiting, takeLate } from './store-queue.ts';

/** Executes one run: everything that is due now. Safe to repeat and to run in several processes. */
export async function runEinvoices(app: App, provider: EInvoiceProvider): Promise<void> {
  await planChanged(app, provider.name);
  if (provider.allotsNumbers)
    await unitOfWork(app, { actor: einvoiceActor }, (ctx) => sendWaiting(ctx, provider.name));
  else await assignNumbers(app, provider.name);
  await sendDue(app, provider);
  await unitOfWork(app, { actor: einvoiceActor }, async (ctx) => {
    const { warnHours } = await ctx.setting(einvoiceSetting);
    await notifyLate(ctx, await takeLate(ctx, new Date(ctx.now.getTime() + warnHours * hourMs)));
  });
}

/** Runs every few seconds while a provider is configured. */
export const einvoicesJob = (createProvider: CreateProvider): Job =>
  job({
    name: 'einvoices',
    everySeconds: 10,
    run: async (app) => {
      const provider = await providerNow(app, app.database.kysely, createProvider);
      if (provider) await runEinvoices(app, provider);
    },
  });

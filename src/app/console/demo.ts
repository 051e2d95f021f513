// The demo data: what of it there is, and taking all of it out again before the first real customer comes.
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { demoReferences } from '#features/operations/administration/server/index.ts';
import { consoleErrors, type DemoData } from './contract.ts';
import { demoCounts, holdCustomers, removeDemo } from './store-demo.ts';

async function demoData(ctx: Ctx): Promise<DemoData> {
  return demoCounts(ctx, await demoReferences());
}

/**
 * Takes the demo out with everything that was tried on it: subscriptions, usage, bills, payments, the ledger. Only while every
 * customer is of the demo: then the books hold nothing real, and begin anew with the first number. Settings, Admins, own services
 * and the audit log stay.
 */
async function removeDemoData(ctx: Ctx): Promise<DemoData> {
  const refs = await demoReferences();
  await holdCustomers(ctx);
  const found = await demoCounts(ctx, refs);
  if (found.others > 0) throw domainError(consoleErrors, 'console.demo_mixed', { count: found.others });
  if (found.organizations === 0) throw domainError(consoleErrors, 'console.demo_none');
  await removeDemo(ctx, refs);
  ctx.audit('console.removeDemoData', undefined, found);
  ctx.publish('system/imports', { kind: 'removed' });
  return found;
}

export const demoVerbs = { demoData, removeDemoData };

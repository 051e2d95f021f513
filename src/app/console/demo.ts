// The demo data: how much of it exists, and its removal before the first real customer registers.
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { demoReferences } from '#features/operations/administration/server/index.ts';
import { consoleErrors, type DemoData } from './contract.ts';
import { demoCounts, holdCustomers, removeDemo } from './store-demo.ts';

async function demoData(ctx: Ctx): Promise<DemoData> {
  return demoCounts(ctx, await demoReferences());
}

/**
 * Removes the demo and everything that was done with it: subscriptions, usage, bills, payments, the ledger.
 * Allowed only while every customer belongs to the demo: then the books hold nothing real, and numbering
 * restarts at one. Settings, Admins, other services and the audit log are kept.
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

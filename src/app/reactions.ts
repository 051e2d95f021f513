// Everything that happens because something else happened, on one page.
import type { Reaction } from '#platform/server/ctx.ts';
import { when } from '#platform/server/reaction.ts';
import { billLowered, billsIssued, noteLateUsage, watchLateUsage } from '#features/billing/server/index.ts';
import { askChecks, watchBudgets } from '#features/budgets/server/index.ts';
import { releaseAfter } from '#features/dunning/server/index.ts';
import { providerRefused, providerSaid } from '#features/gateways/server/index.ts';
import { balanceCredited } from '#features/credits/server/index.ts';
import { forgetIdentities, linkChanged } from '#features/federation/server/index.ts';
import { keyChanged, viewStarted } from '#features/identity/server/index.ts';
import {
  noticesTold,
  tellAccess,
  tellKey,
  tellLink,
  tellView,
} from '#features/notifications/server/index.ts';
import { usersErased } from '#features/users/server/index.ts';
import { accessChanged } from '#features/signin/server/index.ts';
import {
  applyNotice,
  bookBills,
  closeCheckouts,
  keepRefused,
  payForCredited,
} from '#features/payments/server/index.ts';
import { forgetDevicesOf } from '#features/push/server/index.ts';
import { checkQuota, watchQuotas } from '#features/quotas/server/index.ts';
import { keepRejected } from '#features/rejections/server/index.ts';
import { tellEndpoints } from '#features/webhooks/server/index.ts';
import { usageAhead, usageRecorded, usageRejected } from '#features/usage/server/index.ts';

export const reactions: readonly Reaction[] = [
  when(accessChanged, tellAccess),
  when(usersErased, forgetIdentities),
  when(usersErased, forgetDevicesOf),
  when(linkChanged, tellLink),
  when(keyChanged, tellKey),
  when(viewStarted, tellView),
  when(usageAhead, watchQuotas),
  when(usageAhead, watchBudgets),
  when(usageAhead, watchLateUsage),
  when(usageRecorded, checkQuota),
  when(usageRecorded, askChecks),
  when(usageRejected, keepRejected),
  when(usageRecorded, noteLateUsage),
  when(billsIssued, bookBills),
  when(providerSaid, applyNotice),
  when(providerRefused, keepRefused),
  when(balanceCredited, payForCredited),
  when(billLowered, releaseAfter),
  when(billLowered, closeCheckouts),
  when(noticesTold, tellEndpoints),
];

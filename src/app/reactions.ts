// Everything that happens because something else happened, on one page.
import type { Reaction } from '#platform/server/unit-of-work/ctx.ts';
import { when } from '#platform/server/unit-of-work/reaction.ts';
import {
  billLowered,
  billsIssued,
  noteLateUsage,
  watchLateUsage,
} from '#features/invoicing/billing/server/index.ts';
import { askChecks, watchBudgets } from '#features/metering/budgets/server/index.ts';
import { releaseAfter } from '#features/receivables/dunning/server/index.ts';
import { providerRefused, providerSaid } from '#features/receivables/gateways/server/index.ts';
import { balanceCredited } from '#features/invoicing/credits/server/index.ts';
import { forgetIdentities, linkChanged } from '#features/access/federation/server/index.ts';
import { keyChanged, viewStarted } from '#features/access/identity/server/index.ts';
import {
  noticesTold,
  tellAccess,
  tellKey,
  tellLink,
  tellView,
} from '#features/messaging/notifications/server/index.ts';
import { usersErased } from '#features/access/users/server/index.ts';
import { accessChanged } from '#features/access/signin/server/index.ts';
import {
  applyNotice,
  bookBills,
  closeCheckouts,
  keepRefused,
  payForCredited,
} from '#features/receivables/payments/server/index.ts';
import { forgetDevicesOf } from '#features/messaging/push/server/index.ts';
import { checkQuota, watchQuotas } from '#features/metering/quotas/server/index.ts';
import { keepRejected } from '#features/metering/rejections/server/index.ts';
import { tellEndpoints } from '#features/messaging/webhooks/server/index.ts';
import { usageAhead, usageRecorded, usageRejected } from '#features/metering/usage/server/index.ts';

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

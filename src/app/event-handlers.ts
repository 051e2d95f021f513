// All domain events and their handlers in other features, in one place.
import type { EventHandler } from '#platform/server/unit-of-work/ctx.ts';
import { on } from '#platform/server/unit-of-work/event-handler.ts';
import {
  askConsolidation,
  askInterimBills,
  billsLowered,
  billOneOff,
  billsIssued,
  plannedCreditUse,
  recordLateUsage,
  refuseTimeZone,
} from '#features/invoicing/billing/server/index.ts';
import { askChecks } from '#features/metering/budgets/server/index.ts';
import { followPlan, releaseAfter } from '#features/receivables/dunning/server/index.ts';
import {
  applyCardNotice,
  cardChosen,
  planAfterFailure,
} from '#features/receivables/collection/server/index.ts';
import { takeBackOfVoid } from '#features/receivables/late-fees/server/index.ts';
import {
  askAfterIssue,
  askAfterLowered,
  askAfterMore,
  askAfterUsage,
  keepPausedAtLimit,
  assertBelowLimit,
  assertWithinLimit,
  assertMayReserve,
} from '#features/receivables/credit-limits/server/index.ts';
import { plansChanged, settlePlans } from '#features/receivables/payment-plans/server/index.ts';
import {
  resumeAfterCard,
  stopAfterDispute,
  stopAfterFailure,
} from '#features/receivables/top-ups/server/index.ts';
import {
  cardNotified,
  providerRefused,
  providerNotified,
} from '#features/receivables/gateways/server/index.ts';
import { balanceCredited } from '#features/invoicing/credits/server/index.ts';
import { forgetIdentities, linkChanged } from '#features/access/federation/server/index.ts';
import { providerChanged } from '#features/access/providers/server/index.ts';
import { forgetProvisioned, refreshProvisioned } from '#features/access/scim/server/index.ts';
import {
  addressUnproven,
  keyChanged,
  timeZoneChanging,
  viewStarted,
} from '#features/access/identity/server/index.ts';
import {
  noticesPosted,
  notifyAccessChange,
  notifyApproval,
  notifyKeyChange,
  notifyLinkChange,
  notifyView,
} from '#features/messaging/notifications/server/index.ts';
import { approvalAsked } from '#features/access/approvals/server/index.ts';
import { usersErased } from '#features/access/users/server/index.ts';
import { accessChanged, askToConfirm } from '#features/access/signin/server/index.ts';
import {
  applyNotice,
  bookBills,
  chargeFailed,
  closeCheckouts,
  paymentDisputed,
  storeRefused,
  payForCredited,
} from '#features/receivables/payments/server/index.ts';
import { coverIssued, queueLowered } from '#features/receivables/einvoices/server/index.ts';
import { forgetDevicesOf } from '#features/messaging/push/server/index.ts';
import { oneOffApproved } from '#features/invoicing/one-offs/server/index.ts';
import { redeemAtSubscribing } from '#features/invoicing/discounts/server/index.ts';
import {
  checkAfterUsage,
  coverAfter,
  coverOfService,
  creditAdded,
} from '#features/invoicing/credit-grants/server/index.ts';
import { refusePaidPlan, refuseWherePaid } from '#features/invoicing/payers/server/index.ts';
import { refuseUnderSuspended } from '#features/invoicing/resellers/server/index.ts';
import { prepaidRequirementChanged } from '#features/selling/catalogue/server/index.ts';
import { checkQuota, reservationAsked } from '#features/metering/quotas/server/index.ts';
import { storeRejected } from '#features/metering/rejections/server/index.ts';
import { queueDeliveries } from '#features/messaging/webhooks/server/index.ts';
import {
  moreTaken,
  moreWanted,
  planChanged,
  planWanted,
  resumeDue,
  resumeWanted,
  subscribed,
} from '#features/selling/subscriptions/server/index.ts';
import { usageRecorded, usageRejected } from '#features/metering/usage/server/index.ts';

export const eventHandlers: readonly EventHandler[] = [
  on(accessChanged, notifyAccessChange),
  on(addressUnproven, askToConfirm),
  on(usersErased, forgetIdentities),
  on(usersErased, forgetProvisioned),
  on(providerChanged, refreshProvisioned),
  on(usersErased, forgetDevicesOf),
  on(linkChanged, notifyLinkChange),
  on(keyChanged, notifyKeyChange),
  on(viewStarted, notifyView),
  on(timeZoneChanging, refuseTimeZone),
  on(approvalAsked, notifyApproval),
  on(moreWanted, refuseUnderSuspended),
  on(moreWanted, assertBelowLimit),
  // Customers of a suspended reseller may resume what they paused themselves.
  on(resumeWanted, assertBelowLimit),
  on(resumeDue, keepPausedAtLimit),
  on(moreTaken, assertWithinLimit),
  on(moreTaken, askAfterMore),
  on(reservationAsked, assertMayReserve),
  on(subscribed, redeemAtSubscribing),
  on(subscribed, coverAfter(plannedCreditUse)),
  on(planWanted, refusePaidPlan),
  on(planChanged, coverAfter(plannedCreditUse)),
  on(creditAdded, coverAfter(plannedCreditUse)),
  on(prepaidRequirementChanged, refuseWherePaid),
  on(prepaidRequirementChanged, coverOfService),
  on(usageRecorded, checkQuota),
  on(usageRecorded, askChecks),
  on(usageRecorded, askInterimBills),
  on(usageRecorded, askAfterUsage),
  on(usageRejected, storeRejected),
  on(usageRecorded, recordLateUsage),
  on(usageRecorded, checkAfterUsage),
  // Before bookBills, which pays some bills at once from prepaid credit: e-invoices must know a bill before
  // they hear of its payment.
  on(billsIssued, coverIssued),
  on(billsIssued, bookBills),
  on(billsIssued, askConsolidation),
  on(billsIssued, askAfterIssue),
  on(providerNotified, applyNotice),
  on(providerRefused, storeRefused),
  on(cardNotified, applyCardNotice),
  on(chargeFailed, planAfterFailure),
  on(chargeFailed, stopAfterFailure),
  on(paymentDisputed, stopAfterDispute),
  on(cardChosen, resumeAfterCard),
  on(balanceCredited, payForCredited),
  on(oneOffApproved, billOneOff),
  on(billsLowered, settlePlans),
  on(billsLowered, takeBackOfVoid),
  on(billsLowered, releaseAfter),
  on(plansChanged, followPlan),
  on(billsLowered, closeCheckouts),
  on(billsLowered, askAfterLowered),
  on(billsLowered, queueLowered),
  on(noticesPosted, queueDeliveries),
];

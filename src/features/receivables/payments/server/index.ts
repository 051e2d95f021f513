// The public API of payments: their routes, and the event handlers that book issued bills and providers'
// notices.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { payments, paymentsErrors } from '../contract.ts';
import { adminListAutomatic, automaticJob, setAutomatic } from './automatic-verbs.ts';
import { bankAccount, paymentOptions, setBankAccount } from './bank.ts';
import { closeCheckoutSender } from './close-checkout.ts';
import { payBill, topUp } from './intents.ts';
import { payConsolidatedBill } from './pay-consolidated.ts';
import { closeCheckoutKind } from './needless-checkouts.ts';
import { paymentOutcome } from './outcome.ts';
import { balance, confirmPayment, rejectPayment } from './pay.ts';
import { adminGetPayment, adminListPayments, getPayment, listPayments } from './read.ts';
import { receipt } from './receipts.ts';
import { reconcileJob } from './reconcile.ts';
import { refundPayment, settleRefund } from './refunds.ts';
import { adminListRefused, settleRefused } from './refused.ts';
import { recordWithholding, takeBackWithholding } from './withholding.ts';

export const paymentsFeature = feature({
  name: 'payments',
  contract: payments,
  errors: paymentsErrors,
  verbs: {
    balance,
    setAutomatic,
    adminListAutomatic,
    paymentOptions,
    topUp,
    payBill,
    payConsolidatedBill,
    listPayments,
    paymentOutcome,
    getPayment,
    receipt,
    adminListPayments,
    adminGetPayment,
    adminListRefused,
    settleRefused,
    bankAccount,
    setBankAccount,
    confirmPayment,
    rejectPayment,
    refundPayment,
    settleRefund,
    recordWithholding,
    takeBackWithholding,
  },
  senders: { [closeCheckoutKind]: closeCheckoutSender },
  jobs: [reconcileJob, automaticJob],
  // These commit the request, call the provider outside any transaction, and commit the response.
  ownUnitOfWork: ['topUp', 'payBill', 'payConsolidatedBill', 'refundPayment'],
});

export { otherPaymentWaitMs, payAutomatically, payForCredited } from './automatic.ts';
export { payAllAutomatically } from './automatic-verbs.ts';
export { paymentDisputed } from './apply-dispute-notice.ts';
export { bankAccountOf } from './bank.ts';
export { closeCheckouts } from './needless-checkouts.ts';
export { takeBack, bookReceived } from './bank-receipts.ts';
export { balance, bookBills } from './pay.ts';
export { reconcile } from './reconcile.ts';
export { storeRefused } from './refused.ts';
export { applyNotice, chargeFailed, closeUnpaid } from './settle.ts';
export { spendableBalance } from './spendable.ts';
export { countOpenRefusedNotices } from './store-refused-notices.ts';
export { billsUnderWay } from './store-automatic.ts';
export { billsBeingPaid, insertPayment, paymentById } from './store.ts';

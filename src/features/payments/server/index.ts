// Payments' door: their calls, and the reaction that books issued bills.
import { feature } from '#platform/server/feature.ts';
import { payments, paymentsErrors } from '../contract.ts';
import { ledger, trialBalance } from './ledger.ts';
import { adminListPayments, balance, confirmPayment, listPayments, payBill, rejectPayment, topUp } from './pay.ts';

export const paymentsFeature = feature({
  name: 'payments',
  contract: payments,
  errors: paymentsErrors,
  verbs: { balance, topUp, payBill, listPayments, adminListPayments, confirmPayment, rejectPayment, ledger, trialBalance },
});

export { balance, bookBills } from './pay.ts';

// The title of a bill by its kind.
import type { Bill } from '../contract.ts';

export const billTitleKeys = {
  month: 'billing.bill_of',
  one_off: 'billing.one_off_bill_of',
  interim: 'billing.interim_bill_of',
} as const satisfies Record<Bill['kind'], string>;

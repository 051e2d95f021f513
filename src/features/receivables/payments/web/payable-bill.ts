// The parts of a bill needed to pay it.
import type { Bill } from '#features/invoicing/billing/contract.ts';

export type PayableBill = Pick<Bill, 'id' | 'number' | 'month' | 'state' | 'due' | 'instalment'>;

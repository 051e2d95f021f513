// Which payments are waiting for their payer to send money, and where it has to be sent.
import type { Payment } from '../contract.ts';
import type { Translate } from '#platform/web/i18n/i18n.ts';

type Waiting = Pick<Payment, 'method' | 'state' | 'instructions'>;

/** Whether a payment is waiting for money that its payer sends to an account, or pays at a store. */
export const hasDetails = ({ method, state, instructions }: Waiting): boolean =>
  state === 'pending' && (method === 'bank_transfer' || instructions !== undefined);

/** The heading above the transfer details. */
export const detailsTitle = (t: Translate<'payments'>, { instructions }: Waiting): string =>
  t(
    instructions === undefined
      ? 'payments.transfer_title'
      : instructions.bank === null
        ? 'payments.code_store_title'
        : 'payments.code_account_title',
  );

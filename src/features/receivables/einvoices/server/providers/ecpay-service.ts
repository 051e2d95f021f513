// What ECPay's two services have in common: what they do, and how their answers name what was made.
import {
  ProviderUnsure,
  type EInvoiceProvider,
  type IssuedAllowance,
  type IssuedInvoice,
} from '../provider.ts';
import { momentOf, numberOf, randomCodeOf, textOf, type Answer } from './answers.ts';
import type { EcpayRefusal } from './ecpay-call.ts';

/** What both services of ECPay do; the right one is chosen by who buys. */
export type EcpayService = Pick<
  EInvoiceProvider,
  | 'issue'
  | 'findInvoice'
  | 'voidInvoice'
  | 'isVoided'
  | 'allow'
  | 'findAllowance'
  | 'voidAllowance'
  | 'isAllowanceVoided'
  | 'invoiceState'
>;

/** An invoice that exists under our id although we thought to issue it now. */
export function existing(found: IssuedInvoice | null, refusal: EcpayRefusal): IssuedInvoice {
  if (found === null)
    throw new ProviderUnsure(`ECPay knows the number but shows no invoice: ${refusal.message}`, {
      cause: refusal,
    });
  return found;
}

/** Reads what was issued. Throws {@link ProviderUnsure} when a part of it is missing. */
export function issuedOf(
  answer: Answer,
  names: { readonly number: string; readonly randomCode: string; readonly issuedAt: string },
): IssuedInvoice {
  return {
    number: numberOf(answer, names.number),
    randomCode: randomCodeOf(answer, names.randomCode),
    issuedAt: momentOf(answer, names.issuedAt),
  };
}

export function allowanceIn(answer: Answer, name: string): IssuedAllowance {
  const number = textOf(answer, name);
  if (!/^[0-9A-Za-z]{1,16}$/.test(number))
    throw new ProviderUnsure(`allowed, but ${name} is ${JSON.stringify(number)}`);
  return { number };
}

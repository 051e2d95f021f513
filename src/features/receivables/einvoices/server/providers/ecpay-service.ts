// The common interface of ECPay's two services, and how their responses name what was created.
import {
  ProviderUnsure,
  type EInvoiceProvider,
  type IssuedAllowance,
  type IssuedInvoice,
} from '../provider.ts';
import { momentOf, numberOf, randomCodeOf, textOf, type Answer } from './answers.ts';
import type { EcpayRefusal } from './ecpay-call.ts';

/** The operations of both ECPay services; the buyer determines which one is used. */
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

/** Returns an invoice that already exists under our id although we tried to issue it. */
export function existing(found: IssuedInvoice | null, refusal: EcpayRefusal): IssuedInvoice {
  if (found === null)
    throw new ProviderUnsure(`ECPay knows the number but shows no invoice: ${refusal.message}`, {
      cause: refusal,
    });
  return found;
}

/** Parses what was issued. Throws {@link ProviderUnsure} if part of it is missing. */
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

// With which providers a card can be entered where the reader is.
import { isEmbedded } from '#platform/web/session/embedded.ts';
import type { PaymentCards } from '../contract.ts';

/** ECPay's cards are entered on a page of ours, for which one signs in; whoever came to the portal by a link has not. */
export const enterableWith = ({ providers }: PaymentCards): PaymentCards['providers'] =>
  isEmbedded ? providers.filter((each) => each !== 'ecpay') : providers;

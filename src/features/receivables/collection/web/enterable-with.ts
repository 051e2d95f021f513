// The providers with which a card can be entered in the user's current context.
import { isEmbedded } from '#platform/web/session/embedded.ts';
import type { PaymentCards } from '../contract.ts';

/**
 * ECPay's cards are entered on a page of ours that requires signing in; users who opened the portal with a
 * link are not signed in.
 */
export const enterableWith = ({ providers }: PaymentCards): PaymentCards['providers'] =>
  isEmbedded ? providers.filter((each) => each !== 'ecpay') : providers;

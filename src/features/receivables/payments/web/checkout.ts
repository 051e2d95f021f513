// Sends the customer to their payment provider: opens its address, or posts its form.
import { isEmbedded, leaveFor } from '#platform/web/session/embedded.ts';
import type { PaymentIntent } from '../contract.ts';

/**
 * Leaves for the provider's page. A payment counts when the provider reports it, not when the customer
 * returns.
 */
export function redirectToCheckout(checkout: NonNullable<PaymentIntent['checkout']>): void {
  if (checkout.fields === null) {
    leaveFor(checkout.url);
    return;
  }
  const form = document.createElement('form');
  form.method = 'post';
  form.action = checkout.url;
  form.hidden = true;
  if (isEmbedded) form.target = '_blank';
  for (const [name, value] of Object.entries(checkout.fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

// Gateways' public API: the webhook, and the providers for whoever takes payments.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { gateways, gatewaysErrors } from '../contract.ts';
import { webhook } from './webhook.ts';

export const gatewaysFeature = feature({
  name: 'gateways',
  contract: gateways,
  errors: gatewaysErrors,
  verbs: { webhook },
  // What is refused is told of in a unit of its own, after the one that it would have been applied in.
  ownUnitOfWork: ['webhook'],
});

export {
  ProviderRefused,
  ProviderUnsure,
  type Checkout,
  type DisputeNotice,
  type Intent,
  type Notice,
  type PaymentNotice,
  type Provider,
  type RefundAnswer,
  type RefundIntent,
  type RefundNotice,
} from './provider.ts';
export { eventsOf } from './store.ts';
export { checkoutOrigins, providerRefused, providerSaid, providersOf, type RefusedEvent } from './webhook.ts';

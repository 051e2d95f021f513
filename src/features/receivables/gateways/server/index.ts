// The public API of gateways: the webhook, and the payment providers for features that take payments.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { gateways, gatewaysErrors } from '../contract.ts';
import { webhook } from './webhook.ts';

export const gatewaysFeature = feature({
  name: 'gateways',
  contract: gateways,
  errors: gatewaysErrors,
  verbs: { webhook },
  // A refused event is recorded in its own transaction, because the one that would have applied it is rolled
  // back.
  ownUnitOfWork: ['webhook'],
});

export { answerIn, isAnswer, textOf, type Answer } from './answers.ts';
export { decryptData, encryptData, ExactNumber, jsonText, type AesKeys, type JsonValue } from './aes-json.ts';
export {
  ProviderRefused,
  ProviderUnsure,
  type CardFacts,
  type CardNotice,
  type CardProvider,
  type OpenSetup,
  type ChargeIntent,
  type Checkout,
  type DisputeNotice,
  type Intent,
  type Notice,
  type PaymentInstructions,
  type PaymentNotice,
  type Provider,
  type RefundAnswer,
  type RefundIntent,
  type RefundNotice,
} from './provider.ts';
export { eventsOf } from './store.ts';
export {
  cardNotified,
  cardProvidersOf,
  type CardProviderName,
  entryOrigins,
  checkoutOrigins,
  providerRefused,
  providerNotified,
  providersOf,
  takeEvent,
  type RefusedEvent,
} from './webhook.ts';

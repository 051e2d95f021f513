// The public API of webhooks: calls, the outbox sender, and the event handler that turns notices into
// deliveries.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { webhooks, webhooksErrors } from '../contract.ts';
import { getDelivery, listDeliveries, replayDelivery, replayFailed, sendTest } from './deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endPreviousSecret,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints.ts';
import { applyWebhooks, exportWebhooks, planWebhooks } from './webhook-file.ts';
import { webhookKind, webhookSender } from './deliver.ts';

export const webhooksFeature = feature({
  name: 'webhooks',
  contract: webhooks,
  errors: webhooksErrors,
  verbs: {
    exportWebhooks,
    planWebhooks,
    applyWebhooks,
    listEndpoints,
    createEndpoint,
    getEndpoint,
    updateEndpoint,
    deleteEndpoint,
    rotateSecret,
    endPreviousSecret,
    sendTest,
    listDeliveries,
    getDelivery,
    replayDelivery,
    replayFailed,
  },
  senders: { [webhookKind]: webhookSender },
});

export { newSecret, signedHeaders } from './signature.ts';
export { offAfterDays } from './settings.ts';
export { queueDeliveries } from './queue-deliveries.ts';

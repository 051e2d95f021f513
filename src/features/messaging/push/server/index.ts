// Push's public API: its calls, its outbox sender, and sending for other features.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { push, pushErrors } from '../contract.ts';
import { addPushSubscription, listPushSubscriptions, removePushSubscription } from './devices.ts';
import { pushKind, pushSender } from './send.ts';

export const pushFeature = feature({
  name: 'push',
  contract: push,
  errors: pushErrors,
  verbs: { listPushSubscriptions, addPushSubscription, removePushSubscription },
  senders: { [pushKind]: pushSender },
});

export { pushKind, pushReachOf, sendPush, type PushMessage } from './send.ts';
export { forgetDevicesOf } from './store.ts';

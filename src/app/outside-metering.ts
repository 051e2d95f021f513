// Metering through a broker run by the operator (MQTT_URL), whose access list controls which key may publish
// where.
import { idPattern } from '#kernel/ids.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { activeKeyActor } from '#features/access/identity/server/index.ts';
import { rejectedMessage, takeMessages } from '#features/metering/usage/server/index.ts';

/** Machines publish to `usage/events/<key id>`. */
export const outsideEventsPattern = 'usage/events/+';

/**
 * Records a message like a call of POST /usage/events by the key that its topic names, and returns the
 * message for `usage/results/<key id>`. A key that is not in force gets a response too: sending again would
 * not help.
 */
export function takeOutsideMessage(app: App) {
  return async (topic: string, payload: Buffer): Promise<{ topic: string; payload: string }> => {
    const keyId = topic.slice(topic.lastIndexOf('/') + 1);
    const actor = idPattern('key').test(keyId) ? await activeKeyActor(app, keyId) : undefined;
    const mayMeter = actor?.scope === 'metering';
    if (!mayMeter) app.log.warn({ topic }, 'a message whose key may not send events');
    const [answer] = mayMeter
      ? await takeMessages(app, actor, [payload], 'enUS')
      : [rejectedMessage(app, 'enUS')];
    return { topic: `usage/results/${keyId}`, payload: JSON.stringify(answer) };
  };
}

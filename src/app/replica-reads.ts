// What a replica may serve (DATABASE_READ_URL): lists, statistics, exports and dashboards. Decided only here.
import type { MayBeLate } from '#platform/server/http/http.ts';
import { featureOrder } from './feature-order.ts';

/**
 * Everything else, such as permissions, sessions, keys, settings and the state of the machine, is always read
 * from the primary.
 */
const groups = new Set(['selling', 'metering', 'invoicing', 'receivables', 'reporting']);
const features = new Set([
  // The dashboards.
  'console',
  ...featureOrder.flatMap((path) => {
    const [group = '', name = ''] = path.split('/');
    return groups.has(group) ? [name] : [];
  }),
]);

/** Routes of the features above, for signed-in users and read keys. */
export const mayBeLate: MayBeLate = (feature, route) =>
  features.has(feature) && typeof route.access !== 'string' && route.fresh !== true;

/** Live topics whose pages read from the primary, so that messages need not wait for the replica. */
const unreplicated = /\/(sessions|notifications)$/;

/** Whether a live message leads to reads from the replica. */
export const waitsForReplica = (topic: string): boolean => !unreplicated.test(topic);

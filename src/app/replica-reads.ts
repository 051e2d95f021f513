// What a replica may answer (DATABASE_READ_URL): lists, statistics, exports and dashboards. This is the only place that decides it.
import type { MayBeLate } from '#platform/server/http/http.ts';
import { featureOrder } from './feature-order.ts';

/** Who may do what, sessions, keys, settings, and how the machine is doing are always read where they are written. */
const groups = new Set(['selling', 'metering', 'invoicing', 'receivables', 'reporting']);
const features = new Set([
  // The dashboards.
  'console',
  ...featureOrder.flatMap((path) => {
    const [group = '', name = ''] = path.split('/');
    return groups.has(group) ? [name] : [];
  }),
]);

/** Routes for the signed-in and for keys that read, of the features above. */
export const mayBeLate: MayBeLate = (feature, route) =>
  features.has(feature) && typeof route.access !== 'string' && route.fresh !== true;

/** Live topics whose pages read elsewhere: a message need not wait until the replica has what it tells of. */
const unreplicated = /\/(sessions|notifications)$/;

/** Whether a live message leads to reading of the replica. */
export const waitsForReplica = (topic: string): boolean => !unreplicated.test(topic);

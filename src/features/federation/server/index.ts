// Federation's door: its calls.
import { feature } from '#platform/server/feature.ts';
import { federation, federationErrors } from '../contract.ts';

export const federationFeature = feature({ name: 'federation', contract: federation, errors: federationErrors, verbs: {} });

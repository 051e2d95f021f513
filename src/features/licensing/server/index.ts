// Licensing's door: its calls.
import { feature } from '#platform/server/feature.ts';
import { licensing } from '../contract.ts';
import { publicKey } from './public-key.ts';

export const licensingFeature = feature({ name: 'licensing', contract: licensing, errors: {}, verbs: { publicKey } });

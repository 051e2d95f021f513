// What an Admin decides about the portal.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** The origins whose pages may show the portal in a frame. */
export const originsSetting = setting<string[]>('portal.origins', z.array(z.string()), []);

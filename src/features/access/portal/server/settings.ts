// Settings of the portal.
import * as z from 'zod/mini';
import { setting } from '#platform/server/unit-of-work/settings.ts';

/** The origins whose pages may frame the portal. */
export const originsSetting = setting<string[]>('portal.origins', z.array(z.string()), []);

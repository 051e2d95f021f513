// The current day and month, for pickers.
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, monthOf } from '#kernel/time.ts';
import { nowMs } from './clock.ts';

/** The current day in a time zone (IANA name). */
export const dayNow = (timeZone: string): LocalDay => dayOf(new Date(nowMs()), timeZone);

/** The current month in a time zone (IANA name). */
export const monthNow = (timeZone: string): BillingMonth => monthOf(new Date(nowMs()), timeZone);

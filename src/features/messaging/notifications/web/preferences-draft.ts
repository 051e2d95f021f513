// The form's draft of preferences: every part has a value, even while it is off.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import {
  Matrix,
  notificationCategories,
  type Category,
  type notifications,
  type Preferences,
} from '../contract.ts';

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
export const Draft = z.strictObject({
  isEmailOn: z.boolean(),
  isSmsOn: z.boolean(),
  matrix: Matrix,
  isQuiet: z.boolean(),
  quietHours: z.strictObject({ from: time, to: time }),
  isDigest: z.boolean(),
  digestHour: z.string().check(z.regex(/^\d{1,2}$/)),
  digest: z.strictObject({
    billing: z.boolean(),
    security: z.boolean(),
    usage: z.boolean(),
    system: z.boolean(),
  }),
});
export type Draft = z.output<typeof Draft>;

/** The categories that can be in a digest: security e-mails are always sent immediately. */
export const digestCategories = notificationCategories.filter((category) => category !== 'security');
const usualQuiet = { from: '22:00', to: '07:00' };
const usualHour = 8;

/** Converts the stored preferences to the form's draft. */
export function draftOf({ matrix, quietHours, digest, channels }: Preferences): Draft {
  const isInDigest = (category: Category): boolean =>
    digest?.categories.includes(category) ?? category !== 'security';
  return {
    isEmailOn: channels.email.isOn,
    isSmsOn: channels.sms.isOn,
    matrix,
    isQuiet: quietHours !== null,
    quietHours: quietHours ?? usualQuiet,
    isDigest: digest !== null,
    digestHour: String(digest?.hour ?? usualHour),
    digest: {
      billing: isInDigest('billing'),
      security: false,
      usage: isInDigest('usage'),
      system: isInDigest('system'),
    },
  };
}

/** Converts a draft to preferences; a digest without categories becomes null. */
export function preferencesOf({
  isEmailOn,
  isSmsOn,
  matrix,
  isQuiet,
  quietHours,
  isDigest,
  digestHour,
  digest,
}: Draft): In<typeof notifications.savePreferences> {
  const categories = digestCategories.filter((category) => digest[category]);
  return {
    isEmailOn,
    isSmsOn,
    matrix,
    quietHours: isQuiet ? quietHours : null,
    digest: isDigest && categories.length > 0 ? { hour: Number(digestHour), categories } : null,
  };
}

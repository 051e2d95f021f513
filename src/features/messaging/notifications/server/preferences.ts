// Users' notification preferences. The switches for e-mail and SMS are those of the profile, where they are
// stored.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { updateUserRow } from '#features/access/identity/server/index.ts';
import {
  channels,
  notificationsErrors,
  type Channel,
  type notifications,
  type Preferences,
} from '../contract.ts';
import { preferencesMistake } from '../rules-delivery.ts';
import { reachSettingsOf, reachOf, channelHandlers, type ReachSettings } from './channels.ts';
import { peopleOf, storePreferences, type Person } from './store-reach.ts';

/** Returns the caller, with their devices and the console's channels. */
export async function callerOf(ctx: Ctx): Promise<{ self: Person; given: ReachSettings }> {
  const { userId } = person(ctx);
  return {
    self: required((await peopleOf(ctx, [userId])).get(userId), 'the signed-in user'),
    given: await reachSettingsOf(ctx, [userId]),
  };
}

export async function preferences(ctx: Ctx): Promise<Preferences> {
  const { self, given } = await callerOf(ctx);
  const { isOn, problem } = reachOf(given, self);
  const state = (channel: Channel) => ({
    isOn: isOn[channel],
    to: channelHandlers[channel].to(given, self),
    problem: problem[channel],
  });
  const [email, sms, push] = channels;
  return {
    ...self.preferences,
    channels: { email: state(email), sms: state(sms), push: state(push) },
    timeZone: self.timeZone,
  };
}

/** Changes the preferences; already queued deliveries stay unchanged. */
export async function savePreferences(
  ctx: Ctx,
  { isEmailOn, isSmsOn, ...changes }: In<typeof notifications.savePreferences>,
): Promise<Preferences> {
  const mistake = preferencesMistake(changes);
  if (mistake) throw domainError(notificationsErrors, mistake, {}, ['quietHours']);
  const { userId } = person(ctx);
  await updateUserRow(ctx, userId, { email_notifications: isEmailOn, sms_notifications: isSmsOn });
  await storePreferences(ctx, userId, changes);
  return preferences(ctx);
}

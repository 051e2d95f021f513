// The channels: why each cannot reach a user, its destination, and how to queue a message.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { hasMail, sendMail } from '#platform/server/mail/mail.ts';
import { pushReachOf, sendPush } from '#features/messaging/push/server/index.ts';
import { e164 } from '#features/messaging/sms/rules.ts';
import { hasSms, sendSms } from '#features/messaging/sms/server/index.ts';
import { brandsOfUsers } from '#features/access/identity/server/index.ts';
import type { Channel, ChannelProblem } from '../contract.ts';
import type { ReachableUser } from '../rules-delivery.ts';
import type { KindRule } from '../rules-kinds.ts';
import { letterOf } from './letters.ts';
import type { Person } from './store-reach.ts';

/** One message to one user, for any channel. `key` is its permanently unique key in the outbox. */
export type ChannelMessage = {
  readonly person: Person;
  readonly key: string;
  readonly rule: KindRule;
  /** The sentence in the reader's language. */
  readonly message: string;
  readonly link: string | null;
  readonly dueAt: Date | null;
};

/** The console's configuration and users' devices, read once for many messages. */
export type ReachSettings = {
  readonly hasMail: boolean;
  readonly hasSms: boolean;
  readonly devices: ReadonlyMap<string, number>;
};

export async function reachSettingsOf(ctx: Ctx, userIds: readonly string[]): Promise<ReachSettings> {
  return {
    hasMail: hasMail(ctx.app.config),
    hasSms: await hasSms(ctx),
    devices: await pushReachOf(ctx, userIds),
  };
}

type ChannelHandler = {
  /** Why the channel cannot reach the user; without `rule`, for any kind. */
  readonly problem: (given: ReachSettings, person: Person, rule?: KindRule) => ChannelProblem | null;
  /** The destination as its owner knows it: an address, a number, the number of browsers. */
  readonly to: (given: ReachSettings, person: Person) => string | null;
  readonly send: (ctx: Ctx, messages: readonly ChannelMessage[]) => Promise<void>;
};

const isAddress = (account: string): boolean => /^[^\s@]+@[^\s@]+$/.test(account);
const brandsOfReaders = (ctx: Ctx, messages: readonly ChannelMessage[]) =>
  brandsOfUsers(
    ctx,
    messages.map(({ person }) => person.id),
  );
const due = ({ dueAt }: ChannelMessage): { dueAt?: Date } => (dueAt === null ? {} : { dueAt });

export const channelHandlers: Readonly<Record<Channel, ChannelHandler>> = {
  email: {
    problem: (given, { account, isVerified }, rule) => {
      if (!given.hasMail) return 'no_mail';
      if (!isAddress(account)) return 'no_address';
      // Security notices go to an address even if it is not confirmed, because they warn the user of a
      // changed login.
      return isVerified || rule?.isLocked ? null : 'unverified';
    },
    to: (_given, { account }) => (isAddress(account) ? account : null),
    send: async (ctx, messages) => {
      const brandOfUser = await brandsOfReaders(ctx, messages);
      for (const each of messages)
        sendMail(ctx, each.key, letterOf(ctx, brandOfUser(each.person.id), each), each.dueAt ?? undefined);
    },
  },
  sms: {
    problem: (given, { phone }) => {
      if (!given.hasSms) return 'no_sms';
      if (phone === '') return 'no_phone';
      return e164(phone) === undefined ? 'phone_wrong' : null;
    },
    to: (_given, { phone }) => (phone === '' ? null : phone),
    send: async (ctx, messages) => {
      const brandOfUser = await brandsOfReaders(ctx, messages);
      await sendSms(
        ctx,
        messages.map((each) => ({
          userId: each.person.id,
          key: each.key,
          text: ctx.text(
            'notifications.sms_text',
            { brand: brandOfUser(each.person.id).name, message: each.message },
            each.person.language,
          ),
          ...due(each),
        })),
      );
    },
  },
  push: {
    problem: (given, { id }) => ((given.devices.get(id) ?? 0) === 0 ? 'no_device' : null),
    to: (given, { id }) => given.devices.get(id)?.toString() ?? null,
    send: async (ctx, messages) => {
      const brandOfUser = await brandsOfReaders(ctx, messages);
      await sendPush(
        ctx,
        messages.map((each) => ({
          userId: each.person.id,
          key: each.key,
          title: brandOfUser(each.person.id).name,
          body: each.message,
          link: each.link,
          ...due(each),
        })),
      );
    },
  },
};

/** A user's data for the delivery rules. */
export function reachOf(given: ReachSettings, person: Person, rule?: KindRule): ReachableUser {
  return {
    timeZone: person.timeZone,
    preferences: person.preferences,
    isOn: { email: person.wantsEmail, sms: person.wantsSms, push: true },
    problem: {
      email: channelHandlers.email.problem(given, person, rule),
      sms: channelHandlers.sms.problem(given, person, rule),
      push: channelHandlers.push.problem(given, person, rule),
    },
  };
}

// The ways out, one entry each: whether it can reach a person, what it leaves for the outbox, and where the outbox keeps it.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { hasMail, sendMail } from '#platform/server/mail.ts';
import type { Channel, ChannelProblem } from '../contract.ts';
import type { Reach } from '../rules-delivery.ts';
import type { KindRule } from '../rules-kinds.ts';
import { letterOf } from './letters.ts';
import type { Person } from './store-reach.ts';

/** One message to one person, as every way needs it. `key` is what the outbox knows it by, for ever. */
export type Told = {
  readonly person: Person;
  readonly key: string;
  readonly rule: KindRule;
  /** The sentence in the reader's language. */
  readonly message: string;
  readonly link: string | null;
  readonly dueAt: Date | null;
};

type Way = {
  /** Why it cannot reach the person; `rule` undefined: whatever the kind. */
  readonly problem: (ctx: Ctx, person: Person, devices: number, rule?: KindRule) => ChannelProblem | null;
  /** Where it leads, as its owner knows it. */
  readonly to: (person: Person, devices: number) => string | null;
  readonly send: (ctx: Ctx, told: readonly Told[]) => Promise<void>;
};

const isAddress = (account: string): boolean => /^[^\s@]+@[^\s@]+$/.test(account);

export const ways: Readonly<Record<Channel, Way>> = {
  email: {
    problem: (ctx, { account, isVerified }, _devices, rule) => {
      if (!hasMail(ctx.world.config)) return 'no_mail';
      if (!isAddress(account)) return 'no_address';
      // Whoever changed what lets people in is told off at the address that is known, confirmed or not.
      return isVerified || rule?.isLocked ? null : 'unverified';
    },
    to: ({ account }) => (isAddress(account) ? account : null),
    send: async (ctx, told) => {
      for (const each of told) sendMail(ctx, each.key, await letterOf(ctx, each), each.dueAt ?? undefined);
    },
  },
  sms: { problem: () => 'no_sms', to: ({ phone }) => (phone === '' ? null : phone), send: async () => undefined },
  push: { problem: () => 'no_push', to: (_person, devices) => (devices === 0 ? null : String(devices)), send: async () => undefined },
};

/** How many devices of each person take push messages. */
export async function devicesOf(_ctx: Ctx, _userIds: readonly Id<'usr'>[]): Promise<ReadonlyMap<string, number>> {
  return new Map();
}

/** A person as the rules want them. */
export function reachOf(ctx: Ctx, person: Person, devices: number, rule?: KindRule): Reach {
  return {
    timeZone: person.timeZone, wishes: person.wishes, isOn: { email: person.wantsEmail, sms: person.wantsSms, push: true },
    problem: { email: ways.email.problem(ctx, person, devices, rule), sms: ways.sms.problem(ctx, person, devices, rule), push: ways.push.problem(ctx, person, devices, rule) },
  };
}

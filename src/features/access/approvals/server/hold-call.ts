// Stores a call that needs approval, and notifies those who can approve it.
import { isSomeId, type Id } from '#kernel/ids.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { person } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { loadSettings, settingOf } from '#platform/server/unit-of-work/settings.ts';
import type { Holds } from '#platform/server/http/held-calls.ts';
import { seal } from '#platform/server/security/sealing.ts';
import * as z from 'zod/mini';
import { Waiting, choiceNames } from '../contract.ts';
import { textsIn } from '../rules.ts';
import type { Choice, Console } from './choices.ts';
import { chosenSetting, daysSetting, knownOf } from './settings.ts';
import { approvers, insertApproval } from './store.ts';

export const callPurpose = 'approval call';

/** A request awaits a decision by one of `readers`. */
export type ApprovalAsked = {
  readonly approvalId: Id<'apr'>;
  readonly call: string;
  readonly subject: string | null;
  readonly by: string;
  readonly readers: readonly Id<'usr'>[];
};
export const approvalAsked = domainEvent<ApprovalAsked>('approvals.approvalAsked');

/** The hook that the console runs for each call: whether the call needs approval, and storing it. */
export function holdsOf({ choices, subjectOf }: Pick<Console, 'choices' | 'subjectOf'>): Holds {
  const choosable = new Map<string, { name: (typeof choiceNames)[number]; choice: Choice }[]>();
  for (const name of choiceNames)
    for (const call of choices[name].calls)
      choosable.set(call, [...(choosable.get(call) ?? []), { name, choice: choices[name] }]);
  return {
    isHeld: async (app: App, call: string, actor: Actor, input: unknown) => {
      const found = choosable.get(call);
      // Only actions of Admins can require approval, so calls of customers and of the console itself never
      // wait.
      if (!found || actor.kind !== 'user' || actor.role !== 'Admin') return false;
      const chosen = knownOf(settingOf(await loadSettings(app.database.kysely), chosenSetting));
      for (const { name, choice } of found)
        if (chosen.includes(name) && (!choice.concerns || (await choice.concerns(app, call, input))))
          return true;
      return false;
    },
    store: async (ctx, call) => {
      const { userId, key, name } = person(ctx);
      const id = ctx.newId('apr');
      const days = await ctx.setting(daysSetting);
      const expiresAt = new Date(ctx.now.getTime() + days * dayMs);
      const subject = await subjectOf(ctx, call.name, call.fields, ctx.language);
      await insertApproval(ctx, {
        id,
        call: call.name,
        subject,
        sealedCall: seal(ctx.app, callPurpose, id, JSON.stringify(call)),
        requestedBy: userId,
        keyId: key?.keyId ?? null,
        expiresAt,
      });
      // Ids only: names in the audit log would outlive an erasure of the people.
      ctx.audit('approvals.request', id, { call: call.name, about: textsIn(call.fields).filter(isSomeId) });
      ctx.publish('system/approvals', { kind: 'waiting' });
      const readers = (await approvers(ctx)).filter((each) => each !== userId);
      await ctx.emit(approvalAsked, { approvalId: id, call: call.name, subject, by: name, readers });
      return z.encode(Waiting, { approval: { id, state: 'waiting', call: call.name, expiresAt } });
    },
  };
}

// Keeps a call that must wait, and tells those who may agree to it.
import { isSomeId, type Id } from '#kernel/ids.ts';
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

/** A request waits for somebody; `readers` may decide. */
export type ApprovalAsked = {
  readonly approvalId: Id<'apr'>;
  readonly call: string;
  readonly subject: string | null;
  readonly by: string;
  readonly readers: readonly Id<'usr'>[];
};
export const approvalAsked = domainEvent<ApprovalAsked>('approvals.approvalAsked');

/** What the console asks at each call: whether it waits, and to keep it. */
export function holdsOf({ choices, subjectOf }: Pick<Console, 'choices' | 'subjectOf'>): Holds {
  const choosable = new Map<string, { name: (typeof choiceNames)[number]; choice: Choice }>(
    choiceNames.flatMap((name) =>
      choices[name].calls.map((call) => [call, { name, choice: choices[name] }] as const),
    ),
  );
  return {
    isHeld: async (app: App, call: string, actor: Actor, input: unknown) => {
      const found = choosable.get(call);
      // Customers and the console itself never wait: only what Admins do can be chosen.
      if (!found || actor.kind !== 'user' || actor.role !== 'Admin') return false;
      const chosen = knownOf(settingOf(await loadSettings(app.database.kysely), chosenSetting));
      if (!chosen.includes(found.name)) return false;
      return found.choice.concerns === undefined || found.choice.concerns(app, call, input);
    },
    keep: async (ctx, call) => {
      const { userId, key, name } = person(ctx);
      const id = ctx.newId('apr');
      const days = await ctx.setting(daysSetting);
      const expiresAt = new Date(ctx.now.getTime() + days * 86_400_000);
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
      // By ids alone: names would outlast the people.
      ctx.audit('approvals.request', id, { call: call.name, about: textsIn(call.fields).filter(isSomeId) });
      ctx.publish('system/approvals', { kind: 'waiting' });
      const readers = (await approvers(ctx)).filter((each) => each !== userId);
      await ctx.emit(approvalAsked, { approvalId: id, call: call.name, subject, by: name, readers });
      return z.encode(Waiting, { approval: { id, state: 'waiting', call: call.name, expiresAt } });
    },
  };
}

// The e-mails of every kind as an Admin sees them beforehand: made by what makes those that are sent.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { renderMail } from '#platform/server/mail.ts';
import { profile } from '#features/identity/server/index.ts';
import { notificationsErrors, type Letter, type notifications } from '../contract.ts';
import { allKinds, isKind, kinds } from '../rules-kinds.ts';
import { samples } from '../rules-samples.ts';
import { readable } from '../rules.ts';
import { letterOf } from './letters.ts';

export async function listTemplates(ctx: Ctx): Promise<Out<typeof notifications.listTemplates>> {
  return { items: allKinds.map((kind) => ({ kind, category: kinds[kind].category, isLocked: kinds[kind].isLocked, channels: [...kinds[kind].channels], message: ctx.text(samples[kind].textKey, readable(samples[kind].params, ctx.language)) })) };
}

export async function previewTemplate(ctx: Ctx, { kind, language }: In<typeof notifications.previewTemplate>): Promise<Letter> {
  if (!isKind(kind)) throw refuse(notificationsErrors, 'notifications.kind_not_found');
  const self = await profile(ctx);
  const { textKey, params, link } = samples[kind];
  return renderMail(await letterOf(ctx, { person: { account: self.account, role: self.role, language }, rule: kinds[kind], message: ctx.text(textKey, readable(params, language), language), link }));
}

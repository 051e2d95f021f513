// Previews of every kind's e-mail for an Admin, rendered by the same code as the sent ones.
import type { In, Out } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { renderLetter } from '#platform/server/mail/mail-letter.ts';
import { brandOf, profile } from '#features/access/identity/server/index.ts';
import { notificationsErrors, type Letter, type notifications } from '../contract.ts';
import { allKinds, isKind, kinds, type NotificationKind } from '../rules-kinds.ts';
import { isSampleText, samples } from '../rules-samples.ts';
import { readable } from '../rules.ts';
import { letterOf } from './letters.ts';

function sampleMessage(ctx: Ctx, kind: NotificationKind, language: Language): string {
  const { textKey, params } = samples[kind];
  const named = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      isSampleText(value) ? ctx.text(value, {}, language) : value,
    ]),
  );
  return ctx.text(textKey, readable(named, language), language);
}

export async function listTemplates(ctx: Ctx): Promise<Out<typeof notifications.listTemplates>> {
  return {
    items: allKinds.map((kind) => ({
      kind,
      category: kinds[kind].category,
      isLocked: kinds[kind].isLocked,
      channels: [...kinds[kind].channels],
      message: sampleMessage(ctx, kind, ctx.language),
    })),
  };
}

export async function previewTemplate(
  ctx: Ctx,
  { kind, language }: In<typeof notifications.previewTemplate>,
): Promise<Letter> {
  if (!isKind(kind)) throw domainError(notificationsErrors, 'notifications.kind_not_found');
  const { account, role } = await profile(ctx);
  return renderLetter(
    letterOf(ctx, await brandOf(ctx, null), {
      person: { account, role, language },
      rule: kinds[kind],
      message: sampleMessage(ctx, kind, language),
      link: samples[kind].link,
    }),
  );
}

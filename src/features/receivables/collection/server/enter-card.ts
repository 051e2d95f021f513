// Cards entered on our own page: the provider's script takes the number there, so it never reaches us. The
// bank then authenticates the holder on its own page; the holder's browser, the provider's server and our
// query may report the card in any order.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { cardProvidersOf, ProviderRefused, takeEvent } from '#features/receivables/gateways/server/index.ts';
import { collectionErrors, type CardEntry, type collection } from '../contract.ts';
import { answered, cardsAddress } from './cards.ts';
import { openSetupOf } from './open-setup.ts';
import { settleSetup, setupById, type CardSetup } from './store.ts';

async function ownSetup(ctx: Ctx, setupId: Id<'cst'>): Promise<CardSetup> {
  const setup = await setupById(ctx, setupId);
  if (setup?.organizationId !== tenant(ctx)) throw domainError(collectionErrors, 'collection.card_not_found');
  return setup;
}

/** Returns what the page of an entry loads. */
export async function cardEntry(ctx: Ctx, { setupId }: In<typeof collection.cardEntry>): Promise<CardEntry> {
  const { provider, state, entryToken } = await ownSetup(ctx, setupId);
  const entry = cardProvidersOf(ctx.app.config).get(provider)?.entry;
  if (!entry || state !== 'pending' || entryToken === null)
    return { state: 'over', token: '', isTrial: false, scripts: [] };
  return { state: 'open', token: entryToken, isTrial: entry.isTrial, scripts: [...entry.scripts] };
}

/**
 * Saves the card that the script took. A declined card ends the entry, because its token cannot be reused.
 */
export async function enterCard(
  ctx: Ctx,
  { setupId, payToken }: In<typeof collection.enterCard>,
): Promise<Out<typeof collection.enterCard>> {
  const { app } = ctx;
  const options = { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId };
  const { setup, open } = await unitOfWork(app, options, async (unit) => {
    const found = await ownSetup(unit, setupId);
    unit.audit('collection.enterCard', setupId);
    return { setup: found, open: await openSetupOf(unit, found) };
  });
  const entry = cardProvidersOf(app.config).get(setup.provider)?.entry;
  if (!entry || !open || setup.state !== 'pending')
    throw domainError(collectionErrors, 'collection.entry_over');
  const answer = await answered(app, setupId, async () => {
    try {
      return await entry.finish(open, payToken, app.clock.now());
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      app.log.info({ err: error, setupId }, 'a card was declined when it was entered');
      await unitOfWork(app, options, (unit) => settleSetup(unit, setupId, 'failed'));
      throw domainError(collectionErrors, 'collection.card_declined');
    }
  });
  if ('url' in answer) return { url: answer.url };
  await takeEvent({ app, ...options }, setup.provider, answer);
  return { url: cardsAddress(app, setupId) };
}

/**
 * The holder returns from the bank: applies what the provider passed through the browser, then shows the
 * cards.
 */
export async function cardResult(
  ctx: Ctx,
  { setupId }: In<typeof collection.cardResult>,
  reply: Reply,
): Promise<Out<typeof collection.cardResult>> {
  const { app, actor, language, requestId } = ctx;
  const setup = await unitOfWork(app, { actor, mode: 'read' }, (unit) => setupById(unit, setupId));
  const entry = setup && cardProvidersOf(app.config).get(setup.provider)?.entry;
  if (!setup || !entry) throw new DomainError('platform.not_found', 404);
  const event = await entry.readResult(required(reply.raw, 'the body of a posted form'), app.clock.now());
  if (event) await takeEvent({ app, actor, language, requestId }, setup.provider, event);
  return { location: cardsAddress(app, setupId, event ? 'card' : 'cardCancelled') };
}

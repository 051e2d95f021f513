// Applies the provider's notices about saved cards, in the transaction that stores its event.
import type { Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CardNotice } from '#features/receivables/gateways/server/index.ts';
import { collectionErrors } from '../contract.ts';
import { cardChosen } from './card-chosen.ts';
import { releaseKind, sendDetach } from './cards.ts';
import { publishCollection } from './notices.ts';
import {
  cardsOf,
  customerOf,
  forgetCustomer,
  insertCard,
  removeCards,
  settleSetup,
  setupById,
  storeDefault,
  updateCard,
} from './store.ts';
import { restartStopped, storeSwitch } from './store-attempts.ts';

/** Applies a notice; a repeated or outdated one has no effect. */
export async function applyCardNotice(ctx: Ctx, { notice }: { notice: CardNotice }): Promise<void> {
  if (notice.outcome === 'saved') await saved(ctx, notice);
  else if (notice.outcome === 'updated') await updated(ctx, notice);
  else await gone(ctx, notice);
}

async function saved(
  ctx: Ctx,
  { setupId, reference, customer, facts, verifiedBy, sentAt }: CardNotice,
): Promise<void> {
  const setup = setupId === null ? undefined : await setupById(ctx, setupId, true);
  // An entry that was considered over may succeed late.
  if (!setup || setup.state === 'saved' || facts === null) return;
  const { organizationId, provider } = setup;
  // A card belongs to the organization it was entered for, and never to an unknown customer.
  if (customer !== (await customerOf(ctx, organizationId, provider)))
    throw domainError(collectionErrors, 'collection.customer_differs');
  const before = await cardsOf(ctx, organizationId, true);
  // Entering the same number again replaces the older entry.
  const same = before.find((each) => facts.fingerprint !== null && each.fingerprint === facts.fingerprint);
  if (same) {
    await removeCards(ctx, { cardId: same.id });
    sendDetach(ctx, same);
  }
  const isFirst = !before.some((each) => each.isDefault);
  const isOurs = await insertCard(ctx, {
    organizationId,
    provider,
    setupId: setup.id,
    reference,
    facts,
    isDefault: isFirst || same?.isDefault === true,
    saidAt: new Date(sentAt),
  });
  if (!isOurs) throw domainError(collectionErrors, 'collection.customer_differs');
  await settleSetup(ctx, setup.id, 'saved');
  if (verifiedBy !== undefined) ctx.send(releaseKind, verifiedBy, { provider, order: verifiedBy });
  if (isFirst || same?.isDefault === true) {
    await restartStopped(ctx, organizationId);
    await ctx.emit(cardChosen, { organizationId });
  }
  ctx.audit('collection.cardSaved', organizationId, { last4: facts.last4 });
  publishCollection(ctx, organizationId);
}

async function updated(ctx: Ctx, { reference, facts, sentAt }: CardNotice): Promise<void> {
  if (facts === null) return;
  const found = await updateCard(ctx, reference, facts, new Date(sentAt));
  if (!found) return;
  // A renewed card may pay what the old one could not.
  if (found.isRenewed) await restartStopped(ctx, found.organizationId);
  publishCollection(ctx, found.organizationId);
}

async function gone(ctx: Ctx, { reference, customer, outcome }: CardNotice): Promise<void> {
  const organizations =
    outcome === 'customer_gone'
      ? await removeCards(ctx, { customer: customer ?? '' })
      : await removeCards(ctx, { reference });
  if (outcome === 'customer_gone') await forgetCustomer(ctx, customer ?? '');
  for (const organizationId of organizations) await withoutDefault(ctx, organizationId);
}

/**
 * The provider no longer has the default card: charging stops until a user turns it on again. If only one
 * card is left, it becomes the default.
 */
async function withoutDefault(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  const left = await cardsOf(ctx, organizationId, true);
  const [only] = left;
  if (!left.some((each) => each.isDefault)) {
    await storeSwitch(ctx, organizationId, false, 'provider');
    if (only && left.length === 1) await storeDefault(ctx, organizationId, only.id);
  }
  publishCollection(ctx, organizationId);
}

// Saved cards: list them, enter a new one with the provider, choose the default, and remove them.
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { contentLanguageOf, type Language } from '#kernel/language.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { dayOf } from '#kernel/time.ts';
import type { Sender } from '#platform/server/live/outbox.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import { person, tenant, type App, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { brandName, organizationById, userById } from '#features/access/identity/server/index.ts';
import { mainCurrency } from '#features/invoicing/billing/server/index.ts';
import {
  ProviderRefused,
  ProviderUnsure,
  cardProvidersOf,
  type CardProvider,
  type CardProviderName,
} from '#features/receivables/gateways/server/index.ts';
import * as z from 'zod/mini';
import {
  cardEntryPath,
  cardReturnedPath,
  cardProviders,
  collectionErrors,
  type collection,
  type PaymentCards,
} from '../contract.ts';
import { expiryOf } from '../rules.ts';
import { cardChosen } from './card-chosen.ts';
import { publishCollection } from './notices.ts';
import { planSetting } from './settings.ts';
import {
  cardsOf,
  customerOf,
  insertSetup,
  isKept,
  removeCards,
  setupById,
  storeCustomer,
  storeDefault,
  storeSetupPage,
  type CardSetup,
  type StoredCard,
} from './store.ts';
import { restartStopped, storeSwitch, switchOf } from './store-attempts.ts';

const actor = { kind: 'system', name: 'collection' } as const;
/** The name of the job that charges bills. */
export const collectName = 'collect';
export const detachKind = 'collection.detach_card';

/** Whether cards can be saved at all. */
export const areCardsOffered = ({ app }: Pick<Ctx, 'app'>): boolean => cardProvidersOf(app.config).size > 0;

/** Returns the card that is charged; undefined if there is none. */
export const defaultCardOf = async (ctx: Ctx, organizationId: string): Promise<StoredCard | undefined> =>
  (await cardsOf(ctx, organizationId)).find((each) => each.isDefault);

/** Has bills charged right after the commit, instead of at the job's next run. */
export const askCollect = (ctx: Ctx): Promise<void> => ctx.enqueue(collectName, {}, collectName);

/** The consent text, as the page shows it and as it is stored. */
const consentOf = async (ctx: Ctx, language: Language): Promise<string> =>
  ctx.text('collection.consent', { brand: await brandName(ctx) }, language);

export async function listCards(ctx: Ctx): Promise<PaymentCards> {
  const organizationId = tenant(ctx);
  const organization = required(await organizationById(ctx.db, organizationId), 'the own organization');
  const today = dayOf(ctx.now, organization.timeZone);
  const { isOn, changedAt } = await switchOf(ctx, organizationId);
  return {
    cards: (await cardsOf(ctx, organizationId)).map((card) => ({
      id: card.id,
      provider: card.provider,
      brand: card.brand,
      last4: card.last4,
      expMonth: card.expMonth,
      expYear: card.expYear,
      isDefault: card.isDefault,
      expiry: expiryOf(card, today),
      createdAt: card.createdAt,
    })),
    isOffered: areCardsOffered(ctx),
    providers: [...cardProvidersOf(ctx.app.config).keys()],
    isOn,
    changedAt,
    plan: await ctx.setting(planSetting),
    consent: await consentOf(ctx, ctx.language),
  };
}

/**
 * Starts saving a card: commits the consent, then requests the provider's page outside any transaction, then
 * commits the response.
 */
export async function addCard(
  ctx: Ctx,
  { consents, language, provider: wanted }: In<typeof collection.addCard>,
  reply: Reply,
): Promise<Out<typeof collection.addCard>> {
  const offered = cardProvidersOf(ctx.app.config);
  const provider = wanted ?? [...offered.keys()][0];
  if (provider === undefined || !offered.has(provider))
    throw domainError(collectionErrors, 'collection.not_offered');
  if (!consents) throw new ValidationError([{ field: 'consents', code: 'collection.consent_needed' }]);
  const setupId = await unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (unit) => {
      const made = await oncePerKey(unit, reply.once, async () =>
        insertSetup(unit, {
          organizationId: tenant(unit),
          provider,
          consent: await consentOf(unit, language),
          language,
          createdBy: person(unit).userId,
        }),
      );
      unit.audit('collection.addCard', made);
      // The stored response for an idempotency key is the id of the entry created then.
      return made as Id<'cst'>;
    },
  );
  return { url: await pageOf(ctx.app, setupId) };
}

/** Returns the page of a stored entry, the provider's or ours; after a crash, the same one is found. */
async function pageOf(app: App, setupId: Id<'cst'>): Promise<string> {
  const { setup, customer, name, currency, payer } = await unitOfWork(
    app,
    { actor, mode: 'read' },
    async (unit) => {
      const found = required(await setupById(unit, setupId), 'a stored entry of a card');
      const organization = required(
        await organizationById(unit.db, found.organizationId),
        'its organization',
      );
      const user = await userById(unit.db, found.createdBy);
      return {
        setup: found,
        customer: await customerOf(unit, found.organizationId, found.provider),
        name: organization.name,
        currency: await unit.setting(mainCurrency),
        payer: { name: user?.name ?? '', email: user?.account ?? '' },
      };
    },
  );
  if (setup.checkoutUrl !== null) return setup.checkoutUrl;
  const cards = cardProvidersOf(app.config).get(setup.provider);
  if (!cards) throw domainError(collectionErrors, 'collection.not_offered');
  return answered(app, setupId, async () => {
    const known = customer ?? (await newCustomer(app, cards, setup, name));
    const page = await cards.beginSetup(
      {
        setupId,
        customer: known,
        currency,
        language: contentLanguageOf(setup.language),
        createdAt: setup.createdAt,
        payer,
        addresses: {
          success: cardsAddress(app, setupId),
          cancelled: cardsAddress(app, setupId, 'cardCancelled'),
          entry: `${app.address()}${cardEntryPath}?setup=${setupId}`,
          result: `${app.address()}/api/billing/cards/entries/${setupId}/result`,
          webhook: webhookOf(app, setup.provider),
        },
      },
      app.clock.now(),
    );
    failPoint(app, 'collection.after_setup');
    await unitOfWork(app, { actor }, (unit) => storeSetupPage(unit, setupId, page));
    return page.url;
  });
}

/** Where the user sees the cards after entering one, or cancelling. */
export const cardsAddress = (
  app: App,
  setupId: Id<'cst'>,
  result: 'card' | 'cardCancelled' = 'card',
): string => `${app.address()}${cardReturnedPath}?${result}=${setupId}`;

/** Where a provider reports the results of its cards and charges. */
export const webhookOf = (app: App, provider: CardProviderName): string =>
  `${app.address()}/api/payments/webhooks/${provider}`;

/** Calls a provider while a user is waiting; a refusal or a missing response is reported to the user. */
export async function answered<T>(app: App, setupId: Id<'cst'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderUnsure) {
      app.log.warn({ err: error, setupId }, 'a payment provider gave no answer');
      throw domainError(collectionErrors, 'collection.provider_unreachable', { retryAfter: 5 });
    }
    if (!(error instanceof ProviderRefused)) throw error;
    app.log.error({ err: error, setupId }, 'a payment provider refused to save a card');
    throw domainError(collectionErrors, 'collection.provider_refused');
  }
}

async function newCustomer(
  app: App,
  cards: CardProvider,
  { organizationId, provider }: CardSetup,
  name: string,
): Promise<string> {
  const reference = await cards.createCustomer(organizationId, name);
  return unitOfWork(app, { actor }, async (unit) => {
    await storeCustomer(unit, organizationId, provider, reference);
    return required(await customerOf(unit, organizationId, provider), 'the customer that was just stored');
  });
}

async function ownCard(ctx: Ctx, cardId: Id<'crd'>): Promise<{ card: StoredCard; all: StoredCard[] }> {
  const all = await cardsOf(ctx, tenant(ctx), true);
  const card = all.find((each) => each.id === cardId);
  if (!card) throw domainError(collectionErrors, 'collection.card_not_found');
  return { card, all };
}

/** Makes a card the default one; stopped collections are retried with it. */
export async function setDefaultCard(
  ctx: Ctx,
  { cardId }: In<typeof collection.setDefaultCard>,
): Promise<PaymentCards> {
  const organizationId = tenant(ctx);
  const { card } = await ownCard(ctx, cardId);
  if (!card.isDefault) {
    await storeDefault(ctx, organizationId, cardId);
    await restartStopped(ctx, organizationId);
    await askCollect(ctx);
    await ctx.emit(cardChosen, { organizationId });
    ctx.audit('collection.setDefaultCard', cardId, { last4: card.last4 });
    publishCollection(ctx, organizationId);
  }
  return listCards(ctx);
}

/** Removes a card; the provider is notified after the commit. */
export async function removeCard(
  ctx: Ctx,
  { cardId }: In<typeof collection.removeCard>,
): Promise<PaymentCards> {
  const organizationId = tenant(ctx);
  const { card, all } = await ownCard(ctx, cardId);
  if (card.isDefault && all.length > 1) throw domainError(collectionErrors, 'collection.default_card');
  await removeCards(ctx, { cardId });
  if (card.isDefault) await storeSwitch(ctx, organizationId, false, person(ctx).userId);
  sendDetach(ctx, card);
  ctx.audit('collection.removeCard', cardId, { last4: card.last4 });
  publishCollection(ctx, organizationId);
  return listCards(ctx);
}

/** Turns automatic charging on or off. */
export async function setCollection(
  ctx: Ctx,
  { isOn }: In<typeof collection.setCollection>,
): Promise<PaymentCards> {
  const organizationId = tenant(ctx);
  if (isOn && !(await cardsOf(ctx, organizationId, true)).some((each) => each.isDefault))
    throw domainError(collectionErrors, 'collection.no_card');
  if (await storeSwitch(ctx, organizationId, isOn, person(ctx).userId)) {
    if (isOn) {
      await restartStopped(ctx, organizationId);
      await askCollect(ctx);
    }
    // Consent to the charges was given with the card; this records who activated it.
    ctx.audit('collection.setCollection', organizationId, { isOn });
    publishCollection(ctx, organizationId);
  }
  return listCards(ctx);
}

/** Makes the provider forget a removed card after the commit. */
export const sendDetach = (ctx: Ctx, { provider, reference }: StoredCard): void =>
  ctx.send(detachKind, reference, { provider, reference });

// Messages sent before there was a second provider do not name one.
const Detached = z.object({ provider: z._default(z.enum(cardProviders), 'stripe'), reference: z.string() });

/** Makes the provider forget removed cards. */
export const detachSender = (app: App): Sender => ({
  atOnce: 2,
  send: async ({ payload }) => {
    const { provider, reference } = z.parse(Detached, payload);
    // A card entered again in the meantime may have the same reference.
    if (await unitOfWork(app, { actor, mode: 'read' }, (ctx) => isKept(ctx, reference))) return;
    try {
      await cardProvidersOf(app.config).get(provider)?.detach(reference, app.clock.now());
    } catch (error) {
      // The provider no longer has this card.
      if (!(error instanceof ProviderRefused)) throw error;
    }
  },
});

export const releaseKind = 'collection.release_verification';
const Released = z.object({ provider: z.enum(cardProviders), order: z.string() });

/** Releases amounts that providers charged to verify cards. */
export const releaseSender = (app: App): Sender => ({
  atOnce: 2,
  send: async ({ payload }) => {
    const { provider, order } = z.parse(Released, payload);
    try {
      await cardProvidersOf(app.config).get(provider)?.release?.(order, app.clock.now());
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      // Already released, or only possible manually at the provider.
      app.log.error({ err: error, order }, 'what verified a card could not be given back');
    }
  },
});

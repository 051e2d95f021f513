// The webhook of payment providers: verifies the sender, stores each event once, and applies it in the same
// transaction.
import { oncePer } from '#kernel/once.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { DomainError } from '#kernel/errors.ts';
import type { Config } from '#platform/server/config.ts';
import type { PageOrigins } from '#platform/server/http/pages.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { isProvider, type gateways, type ProviderName } from '../contract.ts';
import { ecpayProviders } from './ecpay.ts';
import { cardHosts } from './ecpay-card-call.ts';
import { cardScripts } from './ecpay-cards.ts';
import type { CardNotice, CardProvider, Notice, Provider } from './provider.ts';
import { insertEvent } from './store.ts';
import { stripeProvider } from './stripe.ts';
import { testProvider } from './test-provider.ts';

/** Emitted for an event of a payment provider that was not received before. */
export const providerNotified = domainEvent<{ readonly provider: ProviderName; readonly notice: Notice }>(
  'gateways.providerNotified',
);

/** Emitted for a payment provider's event about a saved card that was not received before. */
export const cardNotified = domainEvent<{ readonly provider: ProviderName; readonly notice: CardNotice }>(
  'gateways.cardNotified',
);

/** A signed event that was refused; null if it could not be read. */
export type RefusedEvent = {
  readonly provider: ProviderName;
  readonly eventId: string;
  readonly code: string;
  readonly notice: Notice | null;
};
export const providerRefused = domainEvent<RefusedEvent>('gateways.providerRefused');

/** Returns the configured payment providers. */
export const providersOf = oncePer((config: Config): ReadonlyMap<ProviderName, Provider> => {
  const all = [
    ...(config.sandboxId === undefined ? [] : [testProvider]),
    ...(config.stripe ? [stripeProvider(config.stripe)] : []),
    ...(config.ecpay ? ecpayProviders(config.ecpay) : []),
  ];
  return new Map(all.map((provider) => [provider.name, provider]));
});

/**
 * Receives a webhook. Its event is applied by the subscribers of {@link providerNotified} in the transaction
 * that stores the event, so it is applied once; a refused one is recorded in its own transaction.
 */
export async function webhook(
  ctx: Ctx,
  input: In<typeof gateways.webhook>,
  reply: Reply,
): Promise<FileAnswer> {
  const provider = isProvider(input.provider) ? providersOf(ctx.app.config).get(input.provider) : undefined;
  // A provider that is not configured has no such address (reliability.md 2.H-121).
  if (!provider || !reply.raw) throw new DomainError('platform.not_found', 404);
  const notice = await provider.read(reply.raw, ctx.now);
  if (notice) await takeEvent(ctx, provider.name, notice);
  return { fileName: '', mediaType: provider.thanks.mediaType, body: Buffer.from(provider.thanks.body) };
}

/** Applies a provider's event in the transaction that stores it; a repeat has no effect. */
export async function takeEvent(
  { app, actor, language, requestId }: Pick<Ctx, 'app' | 'actor' | 'language' | 'requestId'>,
  provider: ProviderName,
  { eventId, notice }: { readonly eventId: string; readonly notice: Notice | CardNotice | DomainError },
): Promise<void> {
  try {
    if (notice instanceof DomainError) throw notice;
    await unitOfWork(app, { actor, language, requestId }, async (unit) => {
      if (!(await insertEvent(unit, provider, eventId, notice))) return;
      unit.audit('gateways.webhook', subjectOf(notice), {
        provider,
        eventId,
        about: notice.about,
        outcome: notice.outcome,
      });
      if (notice.about === 'card') await unit.emit(cardNotified, { provider, notice });
      else await unit.emit(providerNotified, { provider, notice });
    });
  } catch (error) {
    if (error instanceof DomainError)
      await recordRefusedEvent(
        app,
        { actor, language, requestId },
        {
          provider,
          eventId,
          code: error.code,
          notice: notice instanceof DomainError || notice.about === 'card' ? null : notice,
        },
      );
    throw error;
  }
}

/** The transaction that stored the event was rolled back, so a refused event is recorded separately. */
async function recordRefusedEvent(
  app: App,
  options: Pick<Ctx, 'actor' | 'language' | 'requestId'>,
  refused: RefusedEvent,
): Promise<void> {
  const { provider, eventId, code } = refused;
  await unitOfWork(app, options, async (unit) => {
    unit.audit('gateways.refused', eventId, { provider, code });
    await unit.emit(providerRefused, refused);
  });
}

const subjectOf = (notice: Notice | CardNotice): string =>
  notice.about === 'payment'
    ? notice.paymentId
    : notice.about === 'refund'
      ? (notice.refundId ?? notice.paymentReference)
      : notice.reference;

/** The origins that pages may post forms to, so that customers reach their provider. */
export function checkoutOrigins({ ecpay }: Pick<Config, 'ecpay'>): string[] {
  return ecpay ? [new URL(ecpay.apiBase).origin] : [];
}

/** The providers that support saved cards, in order of preference. */
export const cardProviderNames = ['stripe', 'ecpay'] as const satisfies readonly ProviderName[];
export type CardProviderName = (typeof cardProviderNames)[number];

/** Returns the configured providers that support saved cards. */
export function cardProvidersOf(config: Config): ReadonlyMap<CardProviderName, CardProvider> {
  const all = providersOf(config);
  return new Map(
    cardProviderNames.flatMap((name): [CardProviderName, CardProvider][] => {
      const cards = all.get(name)?.cards;
      return cards ? [[name, cards]] : [];
    }),
  );
}

/**
 * The origins that the page for entering a card loads from ECPay: its script and what that requires;
 * undefined if no cards are entered here.
 */
export function entryOrigins({ ecpay }: Pick<Config, 'ecpay'>): PageOrigins | undefined {
  if (!ecpay?.savesCards) return undefined;
  const { origin } = new URL(cardHosts(ecpay.apiBase).cards);
  return {
    script: [
      origin,
      ...cardScripts(ecpay).flatMap(({ url, integrity }) => (integrity === null ? [] : [url])),
    ],
    style: [origin],
    connect: [origin],
    frame: [origin],
    form: [origin],
    image: [origin],
    framed: [],
    popups: false,
    inlineStyles: true,
  };
}

// The door for payment providers: checks who speaks, keeps each event once, and says it on in the same unit.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Config } from '#platform/server/config.ts';
import type { Ctx, World } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { signal } from '#platform/server/unit-of-work/sockets.ts';
import { work } from '#platform/server/unit-of-work/work.ts';
import { isProvider, type gateways, type ProviderName } from '../contract.ts';
import { ecpayProvider } from './ecpay.ts';
import type { Notice, Provider } from './provider.ts';
import { keepEvent } from './store.ts';
import { stripeProvider } from './stripe.ts';

/** A provider said something it had not said before. */
export const providerSaid = signal<{ readonly provider: ProviderName; readonly notice: Notice }>(
  'gateways.providerSaid',
);

/** An event that a provider signed and that was refused all the same; null: it could not be read. */
export type RefusedEvent = {
  readonly provider: ProviderName;
  readonly eventId: string;
  readonly code: string;
  readonly notice: Notice | null;
};
export const providerRefused = signal<RefusedEvent>('gateways.providerRefused');

const made = new WeakMap<Config, ReadonlyMap<ProviderName, Provider>>();

/** The payment providers whose settings there are. */
export function providersOf(config: Config): ReadonlyMap<ProviderName, Provider> {
  const known = made.get(config);
  if (known) return known;
  const all = [
    ...(config.stripe ? [stripeProvider(config.stripe)] : []),
    ...(config.ecpay ? [ecpayProvider(config.ecpay)] : []),
  ];
  const providers = new Map(all.map((provider) => [provider.name, provider]));
  made.set(config, providers);
  return providers;
}

/** Takes a webhook. What it says is applied by whoever listens, in the unit that keeps the event, so it is applied once; what is refused is told of in a unit of its own. */
export async function webhook(
  ctx: Ctx,
  input: In<typeof gateways.webhook>,
  reply: Reply,
): Promise<FileAnswer> {
  const provider = isProvider(input.provider) ? providersOf(ctx.world.config).get(input.provider) : undefined;
  // A provider that is not set up has no such address (reliability.md 2.H-121).
  if (!provider || !reply.raw) throw new Refusal('platform.not_found', 404);
  const said = await provider.read(reply.raw, ctx.now);
  if (said) await take(ctx, provider.name, said);
  return { fileName: '', mediaType: provider.thanks.mediaType, body: Buffer.from(provider.thanks.body) };
}

async function take(
  { world, actor, language, requestId }: Ctx,
  provider: ProviderName,
  { eventId, notice }: { readonly eventId: string; readonly notice: Notice | Refusal },
): Promise<void> {
  try {
    if (notice instanceof Refusal) throw notice;
    await work(world, { actor, language, requestId }, async (unit) => {
      if (!(await keepEvent(unit, provider, eventId, notice))) return;
      unit.note('gateways.webhook', subjectOf(notice), {
        provider,
        eventId,
        about: notice.about,
        outcome: notice.outcome,
      });
      await unit.announce(providerSaid, { provider, notice });
    });
  } catch (error) {
    if (error instanceof Refusal)
      await tell(
        world,
        { actor, language, requestId },
        { provider, eventId, code: error.code, notice: notice instanceof Refusal ? null : notice },
      );
    throw error;
  }
}

/** Nothing of the event was kept: what is said of its refusal stands by itself. */
async function tell(
  world: World,
  options: Pick<Ctx, 'actor' | 'language' | 'requestId'>,
  refused: RefusedEvent,
): Promise<void> {
  const { provider, eventId, code } = refused;
  await work(world, options, async (unit) => {
    unit.note('gateways.refused', eventId, { provider, code });
    await unit.announce(providerRefused, refused);
  });
}

const subjectOf = (notice: Notice): string =>
  notice.about === 'payment'
    ? notice.paymentId
    : notice.about === 'refund'
      ? (notice.refundId ?? notice.paymentReference)
      : notice.reference;

/** Where pages may post forms to, so that customers get to their provider. */
export function checkoutOrigins({ ecpay }: Pick<Config, 'ecpay'>): string[] {
  return ecpay ? [new URL(ecpay.apiBase).origin] : [];
}

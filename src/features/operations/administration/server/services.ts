// Settings from environment variables and the external services that they configure: shown and tested, never
// changed here.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { OutboundFailure } from '#platform/server/outbound/outbound.ts';
import { checkSignIn } from '#features/access/federation/server/index.ts';
import { ProviderRefused, ProviderUnsure, providersOf } from '#features/receivables/gateways/server/index.ts';
import { administrationErrors, services, type administration, type Service } from '../contract.ts';

const isOn = ({ app: { config } }: Ctx, service: Service): boolean => config[service] !== undefined;

/** Lists the environment settings that may be shown, and the services that they enable. */
export async function environment(ctx: Ctx): Promise<Out<typeof administration.environment>> {
  return {
    items: [...ctx.app.config.environment],
    services: services.map((service) => ({ service, isOn: isOn(ctx, service) })),
  };
}

/**
 * Calls a service now. A rejection by the service is a normal answer of this call. No transaction is open
 * meanwhile.
 */
export async function testService(
  ctx: Ctx,
  { service }: In<typeof administration.testService>,
): Promise<Out<typeof administration.testService>> {
  if (!isOn(ctx, service)) throw domainError(administrationErrors, 'administration.service_off');
  const began = performance.now();
  const answer = (isGood: boolean, message: string) => ({
    isGood,
    tookMs: Math.round(performance.now() - began),
    message,
  });
  try {
    return answer(
      true,
      service === 'google' || service === 'oidc'
        ? await testSignIn(ctx, service)
        : await gatewaySays(ctx, service),
    );
  } catch (error) {
    // The message is our own. A payment provider's error text is not shown.
    if (error instanceof OutboundFailure) return answer(false, error.message);
    if (error instanceof ProviderRefused) return answer(false, ctx.text('administration.service_refused'));
    if (error instanceof ProviderUnsure) return answer(false, ctx.text('administration.service_silent'));
    throw error;
  }
}

async function testSignIn(ctx: Ctx, service: 'google' | 'oidc'): Promise<string> {
  const found = await checkSignIn(ctx.app, service);
  if (!found) throw domainError(administrationErrors, 'administration.service_off');
  return ctx.text('administration.service_sign_in_good', { issuer: found.issuer, count: found.keys });
}

async function gatewaySays(ctx: Ctx, service: 'stripe' | 'ecpay'): Promise<string> {
  const provider = providersOf(ctx.app.config).get(service);
  if (!provider) throw domainError(administrationErrors, 'administration.service_off');
  const { isLive } = await provider.check(ctx.now);
  return ctx.text(isLive ? 'administration.service_live' : 'administration.service_trial');
}

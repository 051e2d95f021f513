// The settings of organizations, and what Admins see and end.
import type { In } from '#kernel/contract.ts';
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText, type Currency } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { brandName, timeZoneSetting } from '#features/access/identity/server/index.ts';
import { mainCurrency } from '#features/invoicing/billing/server/index.ts';
import { accountsOf } from '#features/invoicing/ledger/server/index.ts';
import { areCardsOffered, defaultCardOf } from '#features/receivables/collection/server/index.ts';
import { reasonOf } from '#features/receivables/collection/rules.ts';
import { providersOf } from '#features/receivables/gateways/server/index.ts';
import { topupsErrors, type AutomaticTopUps, type ToppedUpOrganization, type topups } from '../contract.ts';
import { termsMistakes } from '../rules.ts';
import { topUpName } from './charge-due.ts';
import { publishTopUps } from './notices.ts';
import { endRule, pageOfToppedUp, resumeRules, rulesOf, storeRule } from './store.ts';

/** Whether cards are charged in a currency. */
const isCharged = (ctx: Ctx, currency: Currency): boolean =>
  [...providersOf(ctx.app.config).values()].some((each) => each.cards && each.takes(currency));

/** The amount of which every provider that charges cards in a currency charges multiples. */
const largestStep = (ctx: Ctx, currency: Currency): bigint =>
  [...providersOf(ctx.app.config).values()].reduce((largest, { cards, stepOf }) => {
    const step = cards && stepOf ? stepOf(currency) : 1n;
    return step > largest ? step : largest;
  }, 1n);

export async function automaticTopUps(ctx: Ctx): Promise<AutomaticTopUps> {
  const organizationId = tenant(ctx);
  const rules = await rulesOf(ctx, await ctx.setting(timeZoneSetting), organizationId);
  const card = await defaultCardOf(ctx, organizationId);
  const accounts = await accountsOf(ctx, organizationId);
  const used = accounts
    .filter(({ kind }) => kind === 'balance' || kind === 'receivable')
    .map(({ amount }) => amount.currency);
  return {
    isOffered: areCardsOffered(ctx),
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    brand: await brandName(ctx),
    currencies: [...new Set([await ctx.setting(mainCurrency), ...used])].filter((each) =>
      isCharged(ctx, each),
    ),
    items: rules.map((rule) => ({
      currency: rule.currency,
      threshold: rule.threshold,
      amount: rule.amount,
      monthlyCap: rule.monthlyCap,
      isOn: rule.isOn,
      usedThisMonth: rule.used,
      isCapped: rule.used.minor + rule.amount.minor > rule.monthlyCap.minor,
      isUnderWay: rule.isUnderWay,
      stopped: rule.stopped,
      changedAt: rule.changedAt,
      reason: rule.stopped === null || rule.stopped === 'disputed' ? null : reasonOf(rule.code),
    })),
  };
}

/** Turns automatic top-ups on, or changes them; both require consent to the exact amounts. */
export async function setAutomaticTopUp(
  ctx: Ctx,
  { consents, language, ...terms }: In<typeof topups.setAutomaticTopUp>,
): Promise<AutomaticTopUps> {
  const organizationId = tenant(ctx);
  if (!areCardsOffered(ctx)) throw domainError(topupsErrors, 'topups.not_offered');
  const mistakes = termsMistakes(terms);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  const { currency } = terms.amount;
  if (!isCharged(ctx, currency))
    throw new ValidationError([{ field: 'amount', code: 'topups.currency_not_charged' }]);
  const step = largestStep(ctx, currency);
  if (terms.amount.minor % step !== 0n)
    throw new ValidationError([
      {
        field: 'amount',
        code: 'topups.amount_not_in_steps',
        params: { step: formatMoney(money(step, currency), language) },
      },
    ]);
  if (!consents) throw new ValidationError([{ field: 'consents', code: 'topups.consent_needed' }]);
  if (!(await defaultCardOf(ctx, organizationId))) throw domainError(topupsErrors, 'topups.no_card');
  const consent = ctx.text(
    'topups.consent',
    {
      brand: await brandName(ctx),
      threshold: formatMoney(terms.threshold, language),
      amount: formatMoney(terms.amount, language),
      cap: formatMoney(terms.monthlyCap, language),
    },
    language,
  );
  await storeRule(ctx, organizationId, terms, { consent, language, by: person(ctx).userId });
  ctx.audit('topups.setAutomaticTopUp', organizationId, {
    currency,
    threshold: moneyText(terms.threshold),
    amount: moneyText(terms.amount),
    monthlyCap: moneyText(terms.monthlyCap),
  });
  publishTopUps(ctx, organizationId);
  await ctx.enqueue(topUpName, {}, topUpName);
  return automaticTopUps(ctx);
}

export async function endAutomaticTopUp(
  ctx: Ctx,
  { currency }: In<typeof topups.endAutomaticTopUp>,
): Promise<AutomaticTopUps> {
  const organizationId = tenant(ctx);
  if (await endRule(ctx, organizationId, currency, person(ctx).userId)) {
    ctx.audit('topups.endAutomaticTopUp', organizationId, { currency });
    publishTopUps(ctx, organizationId);
  }
  return automaticTopUps(ctx);
}

export async function adminListTopUps(
  ctx: Ctx,
  input: In<typeof topups.adminListTopUps>,
): Promise<Page<ToppedUpOrganization>> {
  return pageOfToppedUp(ctx, await ctx.setting(timeZoneSetting), input);
}

/**
 * Ends automatic top-ups of an organization; an Admin cannot turn them on, because the card is not theirs.
 */
export async function adminEndTopUp(
  ctx: Ctx,
  { organizationId, currency }: In<typeof topups.adminEndTopUp>,
): Promise<null> {
  if (await endRule(ctx, organizationId, currency, person(ctx).userId)) {
    ctx.audit('topups.adminEndTopUp', organizationId, { currency });
    publishTopUps(ctx, organizationId);
  }
  return null;
}

/** Handles collection's event: a user chose another default card. */
export async function resumeAfterCard(
  ctx: Ctx,
  { organizationId }: { readonly organizationId: Id<'org'> },
): Promise<void> {
  if (!(await resumeRules(ctx, organizationId))) return;
  publishTopUps(ctx, organizationId);
  await ctx.enqueue(topUpName, {}, topUpName);
}

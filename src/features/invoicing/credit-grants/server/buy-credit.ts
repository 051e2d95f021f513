// Buying credit with the prepaid balance: by a member, or by auto top-up.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { contentLanguages } from '#kernel/language.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { dayOf, monthOfDay } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  creditgrantsErrors,
  usualPriority,
  type creditgrants,
  type CreditOffer,
  type OwnGrant,
} from '../contract.ts';
import { amountMistake, lastMonthOf, scopeOf } from '../rules.ts';
import { assertAffordable, storeGrant, type SpendableBalance } from './give-grant.ts';
import { creditAdded } from './move-credit.ts';
import { creditOffer } from './offer.ts';
import { ownView } from './own-view.ts';
import { grantById } from './store.ts';

/** Stores bought credit on the terms of the offer; the caller has locked and checked the balance. */
export async function storePurchase(
  ctx: Ctx,
  organization: Organization,
  offer: CreditOffer,
  amount: Money,
  origin: 'bought' | 'top_up',
): Promise<Id<'cgr'>> {
  const today = dayOf(ctx.now, organization.timeZone);
  const month = monthOfDay(today);
  const key = origin === 'bought' ? 'creditgrants.name_bought' : 'creditgrants.name_top_up';
  const [zhTW, enUS] = contentLanguages.map((language) =>
    ctx.text(key, { day: dayFormat(language).day(today) }, language),
  );
  return storeGrant(ctx, {
    organizationId: organization.id,
    kind: 'paid',
    origin,
    name: { zhTW: required(zhTW, 'a name'), enUS: required(enUS, 'a name') },
    amount,
    priority: usualPriority,
    scope: scopeOf(offer),
    startsOn: month,
    lastMonth: lastMonthOf(month, offer.months),
    recurring: null,
    note: '',
  });
}

/** Buys credit for a member. */
export const buyCredit =
  (spendable: SpendableBalance) =>
  async (ctx: Ctx, { amount }: In<typeof creditgrants.buyCredit>): Promise<OwnGrant> => {
    const organizationId = tenant(ctx);
    const offer = await creditOffer(ctx);
    if (!offer.isOn) throw domainError(creditgrantsErrors, 'creditgrants.not_for_sale');
    const mistake = amountMistake(amount);
    if (mistake) throw domainError(creditgrantsErrors, mistake.code, {}, [mistake.field]);
    await assertAffordable(ctx, spendable, organizationId, amount);
    const organization = required(await organizationById(ctx.db, organizationId), 'the organization');
    const id = await storePurchase(ctx, organization, offer, amount, 'bought');
    ctx.audit('creditgrants.buyCredit', id, { amount: moneyText(amount), currency: amount.currency });
    await ctx.emit(creditAdded, { organizationId });
    return ownView(required(await grantById(ctx, id), 'the credit that was just bought'));
  };

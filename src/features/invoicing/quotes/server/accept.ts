// Accepts a quote: everything in it is created in one unit of work, in the name of the Admin who sent it, or
// nothing is.
import { inLanguage } from '#kernel/language.ts';
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError, DomainError, ValidationError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { organizationById, userById } from '#features/access/identity/server/index.ts';
import type { BillsAhead } from '#features/invoicing/commitments/server/index.ts';
import { refuseResoldOrganization } from '#features/invoicing/resellers/server/index.ts';
import { quotesErrors, type Made, type OpenedQuote, type quotes } from '../contract.ts';
import { makeParts, PartRefused } from './make-parts.ts';
import { publishQuotes, tellAdmins } from './notices.ts';
import { acceptable, openedView, type Linked } from './open.ts';
import { decide } from './store.ts';
import { changedPrice } from './work-out.ts';

/** A refusal that the seller has to resolve; the customer sees it, too. */
class SellerHasTo extends Error {
  readonly linked: Linked;
  readonly answer: DomainError;
  constructor(linked: Linked, answer: DomainError) {
    super(answer.code);
    this.linked = linked;
    this.answer = answer;
  }
}

/**
 * Accepts a quote for its organization. Repeating it returns the result of the first time. If one part is
 * refused, everything is rolled back, and Admins are notified in a separate unit of work.
 */
export const acceptQuote =
  (bills: BillsAhead) =>
  async (ctx: Ctx, input: In<typeof quotes.acceptQuote>, reply: Reply): Promise<OpenedQuote> => {
    if (!input.mayAct) throw domainError(quotesErrors, 'quotes.may_act_needed', {}, ['mayAct']);
    const own = { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId };
    try {
      return await unitOfWork(ctx.app, own, (unit) => accept(unit, input, reply.address, bills));
    } catch (error) {
      if (!(error instanceof SellerHasTo)) throw error;
      const { linked, answer } = error;
      await unitOfWork(ctx.app, own, (unit) => reportRefused(unit, linked, answer));
      throw answer;
    }
  };

async function accept(
  ctx: Ctx,
  { token, name, language = ctx.language }: In<typeof quotes.acceptQuote>,
  address: string,
  bills: BillsAhead,
): Promise<OpenedQuote> {
  const linked = await acceptable(ctx, token, 'accept');
  const { quote, version } = linked;
  if (quote.state === 'accepted') return openedView(ctx, linked, language);
  // A link that was sent before is public, so no other check stops a customer of a reseller.
  await refuseResoldOrganization(ctx, quote.organizationId);
  const changed = await changedPrice(ctx, quote.organizationId, version.offered);
  if (changed)
    throw new SellerHasTo(
      linked,
      domainError(quotesErrors, 'quotes.price_changed', { service: changed.name }),
    );
  const made = await madeOf(ctx, linked, bills);
  await decide(ctx, quote.id, { state: 'accepted', by: name, from: address, reason: '', made });
  ctx.audit('quotes.acceptQuote', quote.id, {
    organizationId: quote.organizationId,
    number: quote.number,
    version: version.version,
    name,
    address,
    made: made.map(({ id }) => id),
  });
  await tellAdmins(ctx, quote, {
    kind: 'quote.accepted',
    type: 'info',
    period: '',
    params: {
      name,
      amount: moneyText(version.estimate.contract.total),
      currency: quote.currency,
    },
  });
  publishQuotes(ctx, quote.organizationId);
  return openedView(
    ctx,
    { ...linked, quote: { ...quote, state: 'accepted', decidedAt: ctx.now, decidedBy: name } },
    language,
  );
}

async function madeOf(ctx: Ctx, linked: Linked, bills: BillsAhead): Promise<Made[]> {
  const { quote, version } = linked;
  const organization = required(await organizationById(ctx.db, quote.organizationId), 'the organization');
  if (organization.closedAt !== null)
    throw new SellerHasTo(
      linked,
      domainError(quotesErrors, 'quotes.organization_closed', { organization: organization.name }),
    );
  try {
    return await makeParts(await asSender(ctx, version.sentById), quote, version, organization, bills);
  } catch (error) {
    if (!(error instanceof PartRefused)) throw error;
    throw new SellerHasTo(
      linked,
      domainError(quotesErrors, 'quotes.part_refused', {
        part: inLanguage(error.part, ctx.language),
        reason: reasonOf(ctx, error.cause),
      }),
    );
  }
}

/** Returns why a part was refused, as a sentence. */
function reasonOf(ctx: Ctx, error: DomainError | ValidationError): string {
  if (error instanceof DomainError) return ctx.text(error.code, error.params);
  const [first] = error.fields;
  return first ? ctx.text(first.code, first.params) : '';
}

/**
 * Returns the same unit of work with the Admin who sent the quote as its actor: what a quote creates is what
 * this Admin agreed to, and is recorded under their name. The unit's single audit entry belongs to the holder
 * of the link: it is about the quote, and lists everything created.
 */
async function asSender(ctx: Ctx, sentBy: Id<'usr'> | null): Promise<Ctx> {
  const userId = required(sentBy, 'the Admin who sent the quote');
  const name = (await userById(ctx.db, userId))?.name ?? '';
  return {
    ...ctx,
    audit: () => undefined,
    actor: {
      kind: 'user',
      userId,
      // There is no session; nothing in an acceptance needs one.
      sessionId: ctx.newId('ses'),
      role: 'Admin',
      organizationId: null,
      name,
      provedAt: ctx.now,
      mustEnrol: false,
      customRole: null,
    },
  };
}

/** Notifies Admins why a quote could not be accepted; once a day for the same reason. */
async function reportRefused(ctx: Ctx, { quote, version }: Linked, answer: DomainError): Promise<void> {
  // used as: 'quotes.*'
  const reason = (language: 'zhTW' | 'enUS') => ctx.text(answer.code, answer.params, language);
  await tellAdmins(ctx, quote, {
    kind: 'quote.refused',
    type: 'warning',
    period: `${version.version} ${ctx.now.toISOString().slice(0, 10)}`,
    params: { reason_zhTW: reason('zhTW'), reason_enUS: reason('enUS') },
  });
  ctx.audit('quotes.refuseQuote', quote.id, {
    organizationId: quote.organizationId,
    number: quote.number,
    version: version.version,
    code: answer.code,
  });
}

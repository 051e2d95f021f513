// SQL of saved cards: customers at the provider, card entries, and the cards.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { CardFacts, CardProviderName } from '#features/receivables/gateways/server/index.ts';

/** Returns the provider's reference of an organization's customer. */
export async function customerOf(
  ctx: Ctx,
  organizationId: string,
  provider: CardProviderName,
): Promise<string | undefined> {
  const { rows } = await sql<{
    reference: string;
  }>`select reference from card_customer where organization_id = ${organizationId} and provider = ${provider}`.execute(
    ctx.db,
  );
  return rows[0]?.reference;
}

/** Stores a customer; the first one is kept. */
export async function storeCustomer(
  ctx: Ctx,
  organizationId: string,
  provider: CardProviderName,
  reference: string,
): Promise<void> {
  await sql`insert into card_customer (organization_id, provider, reference, created_at) values (${organizationId}, ${provider}, ${reference}, ${ctx.now}) on conflict (organization_id, provider) do nothing`.execute(
    ctx.db,
  );
}

export type CardSetup = {
  readonly id: Id<'cst'>;
  readonly organizationId: Id<'org'>;
  readonly provider: CardProviderName;
  readonly createdBy: Id<'usr'>;
  /** Opens the provider's part of our own page. */
  readonly entryToken: string | null;
  readonly state: 'pending' | 'saved' | 'failed';
  readonly language: Language;
  readonly checkoutUrl: string | null;
  readonly checkoutReference: string | null;
  readonly createdAt: Date;
};
const setupColumns = sql<CardSetup>`id, organization_id as "organizationId", provider, created_by as "createdBy", entry_token as "entryToken", state, language, checkout_url as "checkoutUrl", checkout_reference as "checkoutReference", created_at as "createdAt"`;

/** Stores that a user started to save a card, with the consent given. */
export async function insertSetup(
  ctx: Ctx,
  setup: {
    organizationId: string;
    provider: CardProviderName;
    consent: string;
    language: Language;
    createdBy: string;
  },
): Promise<Id<'cst'>> {
  const setupId = ctx.newId('cst');
  await sql`insert into card_setup (id, organization_id, provider, state, consent, language, created_at, created_by) values (${setupId}, ${setup.organizationId}, ${setup.provider}, 'pending', ${setup.consent}, ${setup.language}, ${ctx.now}, ${setup.createdBy})`.execute(
    ctx.db,
  );
  return setupId;
}

export async function setupById(ctx: Ctx, setupId: string, lock = false): Promise<CardSetup | undefined> {
  const { rows } =
    await sql<CardSetup>`select ${setupColumns} from card_setup where id = ${setupId} ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

export async function storeSetupPage(
  ctx: Ctx,
  setupId: string,
  { url, reference, entryToken }: { url: string; reference: string; entryToken?: string },
): Promise<void> {
  await sql`update card_setup set checkout_url = ${url}, checkout_reference = ${reference}, entry_token = ${entryToken ?? null} where id = ${setupId} and checkout_url is null`.execute(
    ctx.db,
  );
}

export async function settleSetup(ctx: Ctx, setupId: string, state: 'saved' | 'failed'): Promise<void> {
  await sql`update card_setup set state = ${state}, entry_token = null where id = ${setupId} and state <> 'saved'`.execute(
    ctx.db,
  );
}

/** Returns entries whose outcome is unknown and that were not queried for ten minutes. */
export async function setupsToAsk(ctx: Ctx, limit: number): Promise<CardSetup[]> {
  const { rows } =
    await sql<CardSetup>`select ${setupColumns} from card_setup where state = 'pending' and coalesce(asked_at, created_at) <= ${new Date(ctx.now.getTime() - 600_000)} order by created_at limit ${limit}`.execute(
      ctx.db,
    );
  return rows;
}

export async function countSetupAsked(ctx: Ctx, setupId: string): Promise<void> {
  await sql`update card_setup set asked_at = ${ctx.now} where id = ${setupId}`.execute(ctx.db);
}

export type StoredCard = {
  readonly id: Id<'crd'>;
  readonly organizationId: Id<'org'>;
  readonly provider: CardProviderName;
  readonly reference: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly fingerprint: string | null;
  readonly isDefault: boolean;
  readonly createdAt: Date;
};
const cardColumns = sql<StoredCard>`c.id, c.organization_id as "organizationId", c.provider, c.reference, c.brand, c.last4, c.exp_month as "expMonth", c.exp_year as "expYear", c.fingerprint, c.is_default as "isDefault", c.created_at as "createdAt"`;

/**
 * Returns an organization's cards, the default one first; with `lock`, none of them can change until the
 * transaction ends.
 */
export async function cardsOf(ctx: Ctx, organizationId: string, lock = false): Promise<StoredCard[]> {
  const { rows } =
    await sql<StoredCard>`select ${cardColumns} from saved_card c where c.organization_id = ${organizationId} and c.removed_at is null order by c.is_default desc, c.created_at desc, c.id ${lock ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns the provider's references of all cards that an organization ever saved. */
export async function referencesOf(
  ctx: Ctx,
  organizationId: string,
  provider: CardProviderName,
): Promise<string[]> {
  const { rows } = await sql<{
    reference: string;
  }>`select reference from saved_card where organization_id = ${organizationId} and provider = ${provider}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.reference);
}

/** Whether a card with this reference is saved. */
export async function isKept(ctx: Ctx, reference: string): Promise<boolean> {
  const { rows } =
    await sql`select from saved_card where reference = ${reference} and removed_at is null`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Adds a card, or restores a removed one: a provider may give the same card the same reference. Returns false
 * if it belongs to another organization.
 */
export async function insertCard(
  ctx: Ctx,
  card: {
    organizationId: string;
    provider: CardProviderName;
    setupId: string;
    reference: string;
    facts: CardFacts;
    isDefault: boolean;
    saidAt: Date;
  },
): Promise<boolean> {
  const { facts } = card;
  const { rows } =
    await sql`insert into saved_card as c (id, organization_id, provider, setup_id, reference, brand, last4, exp_month, exp_year, fingerprint, said_at, is_default, created_at)
    values (${ctx.newId('crd')}, ${card.organizationId}, ${card.provider}, ${card.setupId}, ${card.reference}, ${facts.brand}, ${facts.last4}, ${facts.expMonth}, ${facts.expYear}, ${facts.fingerprint}, ${card.saidAt}, ${card.isDefault}, ${ctx.now}) on conflict (reference) do update set setup_id = excluded.setup_id, brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month, exp_year = excluded.exp_year, fingerprint = excluded.fingerprint, said_at = excluded.said_at, is_default = c.is_default or excluded.is_default, removed_at = null where c.organization_id = excluded.organization_id returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Stores what a card's bank renewed, unless newer data is stored; returns whether the default card can be
 * retried.
 */
export async function updateCard(
  ctx: Ctx,
  reference: string,
  facts: CardFacts,
  saidAt: Date,
): Promise<{ organizationId: Id<'org'>; isRenewed: boolean } | undefined> {
  const { rows } = await sql<{
    organizationId: Id<'org'>;
    isRenewed: boolean;
  }>`update saved_card c set brand = ${facts.brand}, last4 = ${facts.last4}, exp_month = ${facts.expMonth}, exp_year = ${facts.expYear}, fingerprint = ${facts.fingerprint}, said_at = ${saidAt}
    from (select id, last4, exp_month, exp_year from saved_card where reference = ${reference} for update) old
    where c.id = old.id and c.removed_at is null and c.said_at <= ${saidAt}
    returning c.organization_id as "organizationId", (c.is_default and (old.last4, old.exp_month, old.exp_year) <> (c.last4, c.exp_month, c.exp_year)) as "isRenewed"`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Makes one card the default of its organization, whose cards the caller has locked. */
export async function storeDefault(ctx: Ctx, organizationId: string, cardId: string): Promise<void> {
  // First none, then one: the database allows at most one default at any time.
  await sql`update saved_card set is_default = false where organization_id = ${organizationId} and is_default`.execute(
    ctx.db,
  );
  await sql`update saved_card set is_default = true where id = ${cardId}`.execute(ctx.db);
}

/** Marks cards as removed; returns the organizations that had them. */
export async function removeCards(
  ctx: Ctx,
  by: { cardId?: string; reference?: string; customer?: string },
): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    organizationId: Id<'org'>;
  }>`update saved_card set removed_at = ${ctx.now}, is_default = false where removed_at is null and (id = ${by.cardId ?? null} or reference = ${by.reference ?? null}
    or (organization_id, provider) = (select organization_id, provider from card_customer where reference = ${by.customer ?? null})) returning organization_id as "organizationId"`.execute(
    ctx.db,
  );
  return [...new Set(rows.map((row) => row.organizationId))];
}

/** The provider deleted a customer: the next card gets a new one. */
export async function forgetCustomer(ctx: Ctx, reference: string): Promise<void> {
  await sql`delete from card_customer where reference = ${reference}`.execute(ctx.db);
}

/** Returns default cards that expire within some days and were not announced, and marks them as announced. */
export async function takeExpiring(
  ctx: Ctx,
  days: number,
): Promise<(StoredCard & { readonly lastDay: LocalDay })[]> {
  const { rows } = await sql<StoredCard & { lastDay: LocalDay }>`
    with ending as (
      select c.id, (make_date(c.exp_year, c.exp_month, 1) + interval '1 month - 1 day')::date as last_day, (${ctx.now}::timestamptz at time zone o.time_zone)::date as today
      from saved_card c join organization o on o.id = c.organization_id where c.removed_at is null and c.is_default
    )
    update saved_card c set warned_for = e.last_day from ending e
    where c.id = e.id and e.last_day - e.today between 0 and ${days} and c.warned_for is distinct from e.last_day
    returning ${cardColumns}, e.last_day::text as "lastDay"`.execute(ctx.db);
  return rows;
}

/**
 * Returns default cards of providers that do not report renewals which are about to expire, with the order of
 * their entry.
 */
export async function cardsToRefresh(
  ctx: Ctx,
  providers: readonly CardProviderName[],
  days: number,
): Promise<{ provider: CardProviderName; customer: string; setup: string; references: string[] }[]> {
  const { rows } = await sql<{
    provider: CardProviderName;
    customer: string;
    setup: string;
    references: string[];
  }>`
    select c.provider, m.reference as customer, s.checkout_reference as setup, (select array_agg(each.reference) from saved_card each where each.organization_id = c.organization_id and each.provider = c.provider and each.removed_at is null) as references
    from saved_card c join card_setup s on s.id = c.setup_id join card_customer m on m.organization_id = c.organization_id and m.provider = c.provider
    where c.removed_at is null and c.is_default and c.provider = any(${[...providers]}::text[]) and s.checkout_reference is not null
      and (make_date(c.exp_year, c.exp_month, 1) + interval '1 month')::date - (${ctx.now}::timestamptz)::date <= ${days}`.execute(
    ctx.db,
  );
  return rows;
}

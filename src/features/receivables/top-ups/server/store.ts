// SQL of automatic top-ups: the agreed terms, which are due, and the attempts.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { In } from '#kernel/contract.ts';
import type { Language } from '#kernel/language.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage } from '#platform/server/database/paging.ts';
import type { CardProviderName } from '#features/receivables/gateways/server/index.ts';
import type { ToppedUpOrganization, topups, TopUpStop } from '../contract.ts';

/** The terms an organization agreed to for one currency, and how much of the month's cap is used. */
export type TopUpRule = {
  readonly organizationId: Id<'org'>;
  readonly currency: Currency;
  readonly isOn: boolean;
  readonly threshold: Money;
  readonly amount: Money;
  readonly monthlyCap: Money;
  /** What was charged in the console's current month, and attempts that may still succeed. */
  readonly used: Money;
  readonly isUnderWay: boolean;
  readonly stopped: TopUpStop | null;
  readonly changedAt: Date;
  /** The provider's code of the latest attempt; empty if it succeeded or is pending. */
  readonly code: string;
};
type RuleRow = Omit<TopUpRule, 'threshold' | 'amount' | 'monthlyCap' | 'used'> & {
  thresholdMinor: bigint;
  amountMinor: bigint;
  capMinor: bigint;
  usedMinor: bigint;
};
const ofRule = sql`card_top_up_attempt a join payment p on p.id = a.payment_id where a.organization_id = t.organization_id and a.currency = t.currency`;
const monthOf = (moment: RawBuilder<unknown>, zone: string): RawBuilder<unknown> =>
  sql`date_trunc('month', ${moment} at time zone ${zone})`;
const ruleColumns = (
  ctx: Ctx,
  zone: string,
) => sql<RuleRow>`t.organization_id as "organizationId", t.currency, t.is_on as "isOn", t.threshold_minor as "thresholdMinor", t.amount_minor as "amountMinor", t.cap_minor as "capMinor", t.stopped, t.changed_at as "changedAt",
  (select coalesce(sum(p.amount_minor), 0)::bigint from ${ofRule} and p.state <> 'failed' and ${monthOf(sql`p.created_at`, zone)} = ${monthOf(sql`${ctx.now}::timestamptz`, zone)}) as "usedMinor",
  exists (select from ${ofRule} and p.state = 'pending') as "isUnderWay", coalesce((select a.code from ${ofRule} order by p.created_at desc, p.id desc limit 1), '') as code`;
const toRule = ({ thresholdMinor, amountMinor, capMinor, usedMinor, ...row }: RuleRow): TopUpRule => ({
  ...row,
  threshold: money(thresholdMinor, row.currency),
  amount: money(amountMinor, row.currency),
  monthlyCap: money(capMinor, row.currency),
  used: money(usedMinor, row.currency),
});

/** Returns the settings of an organization, by currency. `zone` determines where the cap's month begins. */
export async function rulesOf(ctx: Ctx, zone: string, organizationId: string): Promise<TopUpRule[]> {
  const { rows } =
    await sql<RuleRow>`select ${ruleColumns(ctx, zone)} from card_top_up t where t.organization_id = ${organizationId} order by t.currency`.execute(
      ctx.db,
    );
  return rows.map(toRule);
}

/**
 * Returns one setting, locked, so that two jobs cannot charge for it concurrently; undefined if it is off,
 * stopped or pending.
 */
export async function lockRule(
  ctx: Ctx,
  zone: string,
  organizationId: string,
  currency: Currency,
): Promise<TopUpRule | undefined> {
  const key = sql`t.organization_id = ${organizationId} and t.currency = ${currency}`;
  // Locked by a separate statement, so that later reads include what the lock waited for.
  await sql`select 1 from card_top_up t where ${key} for update`.execute(ctx.db);
  const { rows } =
    await sql<RuleRow>`select ${ruleColumns(ctx, zone)} from card_top_up t where ${key} and t.is_on and t.stopped is null`.execute(
      ctx.db,
    );
  const rule = rows[0] && toRule(rows[0]);
  return rule?.isUnderWay ? undefined : rule;
}

/** Stores what an organization agreed to, with the text that the user saw. Ends a stop. */
export async function storeRule(
  ctx: Ctx,
  organizationId: string,
  terms: { threshold: Money; amount: Money; monthlyCap: Money },
  { consent, language, by }: { consent: string; language: Language; by: string },
): Promise<void> {
  const { currency } = terms.amount;
  await sql`insert into card_top_up (organization_id, currency, is_on, threshold_minor, amount_minor, cap_minor, changed_at, changed_by)
    values (${organizationId}, ${currency}, true, ${terms.threshold.minor}, ${terms.amount.minor}, ${terms.monthlyCap.minor}, ${ctx.now}, ${by})
    on conflict (organization_id, currency) do update set is_on = true, stopped = null, threshold_minor = excluded.threshold_minor, amount_minor = excluded.amount_minor, cap_minor = excluded.cap_minor, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    ctx.db,
  );
  await sql`insert into card_top_up_consent (organization_id, currency, given_at, given_by, language, consent) values (${organizationId}, ${currency}, ${ctx.now}, ${by}, ${language}, ${consent})`.execute(
    ctx.db,
  );
}

/** Turns one off; false if it was off. */
export async function endRule(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
  by: string,
): Promise<boolean> {
  const { rows } =
    await sql`update card_top_up set is_on = false, stopped = null, changed_at = ${ctx.now}, changed_by = ${by} where organization_id = ${organizationId} and currency = ${currency} and is_on returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stops one after a decline. */
export async function stopRule(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
  stopped: TopUpStop,
): Promise<void> {
  await sql`update card_top_up set stopped = ${stopped} where organization_id = ${organizationId} and currency = ${currency} and is_on`.execute(
    ctx.db,
  );
}

/** After a user chose another card: resumes what a decline stopped. Returns whether anything was stopped. */
export async function resumeRules(ctx: Ctx, organizationId: string): Promise<boolean> {
  const { rows } =
    await sql`update card_top_up set stopped = null where organization_id = ${organizationId} and stopped is not null returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type RuleKey = { readonly organizationId: Id<'org'>; readonly currency: Currency };

/**
 * Returns settings after a given one, by organization and currency, whose balance seems too low; they are
 * checked again under their lock.
 */
export async function rulesToCharge(ctx: Ctx, after: RuleKey | undefined, limit: number): Promise<RuleKey[]> {
  const { rows } =
    await sql<RuleKey>`select t.organization_id as "organizationId", t.currency from card_top_up t join organization o on o.id = t.organization_id and o.closed_at is null join saved_card c on c.organization_id = t.organization_id and c.is_default
    left join ledger_account l on l.kind = 'balance' and l.organization_id = t.organization_id and l.currency = t.currency
    where t.is_on and t.stopped is null and (t.organization_id, t.currency) > (${after?.organizationId ?? ''}, ${after?.currency ?? ''})
      and not exists (select from ${ofRule} and p.state = 'pending')
      and -coalesce(l.balance_minor, 0) - coalesce((select sum(r.amount_minor) from payment_refund r where r.organization_id = t.organization_id and r.currency = t.currency and r.state = 'pending' and r.origin = 'admin'), 0) < t.threshold_minor
    order by t.organization_id, t.currency limit ${limit}`.execute(ctx.db);
  return rows;
}

export async function insertAttempt(
  ctx: Ctx,
  attempt: RuleKey & { paymentId: string; cardId: string },
): Promise<void> {
  await sql`insert into card_top_up_attempt (payment_id, organization_id, currency, card_id) values (${attempt.paymentId}, ${attempt.organizationId}, ${attempt.currency}, ${attempt.cardId})`.execute(
    ctx.db,
  );
}

/** An attempt with everything that its provider is sent. */
export type TopUpAttempt = RuleKey & {
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  readonly provider: CardProviderName;
  readonly customer: string | null;
  /** The user who entered the card; empty if deleted. */
  readonly payerEmail: string;
  readonly payerName: string;
  readonly card: string;
  readonly last4: string;
  readonly language: Language;
  readonly createdAt: Date;
  /** Whether it would still be started: turned on, and the card exists. */
  readonly isWanted: boolean;
};
type AttemptRow = Omit<TopUpAttempt, 'amount'> & { minor: bigint };
const attemptColumns = sql<AttemptRow>`a.payment_id as "paymentId", a.organization_id as "organizationId", a.currency, p.amount_minor as minor, m.reference as customer, c.provider, coalesce(w.account, '') as "payerEmail", coalesce(w.name, '') as "payerName", c.reference as card, c.last4, p.language, p.created_at as "createdAt",
  (coalesce(t.is_on, false) and t.stopped is null and c.removed_at is null) as "isWanted"`;
const attempts = sql`card_top_up_attempt a join payment p on p.id = a.payment_id join saved_card c on c.id = a.card_id join card_setup u on u.id = c.setup_id left join app_user w on w.id = u.created_by left join card_customer m on m.organization_id = a.organization_id and m.provider = c.provider
  left join card_top_up t on t.organization_id = a.organization_id and t.currency = a.currency`;
const toAttempt = ({ minor, ...row }: AttemptRow): TopUpAttempt => ({
  ...row,
  amount: money(minor, row.currency),
});

export async function attemptOf(ctx: Ctx, paymentId: string): Promise<TopUpAttempt | undefined> {
  const { rows } =
    await sql<AttemptRow>`select ${attemptColumns} from ${attempts} where a.payment_id = ${paymentId}`.execute(
      ctx.db,
    );
  return rows[0] && toAttempt(rows[0]);
}

/**
 * Returns attempts without a response that should be queried; the interval between two queries grows to an
 * hour.
 */
export async function attemptsToAsk(ctx: Ctx, limit: number): Promise<Id<'pay'>[]> {
  const { rows } = await sql<{
    id: Id<'pay'>;
  }>`select p.id from ${attempts} where p.state = 'pending'
    and coalesce(a.asked_at, p.created_at) + make_interval(mins => least(60, power(2, least(a.asks + 1, 10)))::int) <= ${ctx.now} order by p.created_at limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

export async function countAsked(ctx: Ctx, paymentId: string): Promise<void> {
  await sql`update card_top_up_attempt set asked_at = ${ctx.now}, asks = asks + 1 where payment_id = ${paymentId}`.execute(
    ctx.db,
  );
}

export async function storeCode(ctx: Ctx, paymentId: string, code: string): Promise<void> {
  await sql`update card_top_up_attempt set code = ${code} where payment_id = ${paymentId}`.execute(ctx.db);
}

/** Returns the organizations that have it on, by name. */
export function pageOfToppedUp(
  ctx: Ctx,
  zone: string,
  input: In<typeof topups.adminListTopUps>,
): Promise<Page<ToppedUpOrganization>> {
  const list = {
    columns: sql<
      RuleRow & { id: string; organization: string }
    >`t.organization_id || ' ' || t.currency as id, o.name as organization, ${ruleColumns(ctx, zone)}`,
    from: sql`card_top_up t join organization o on o.id = t.organization_id`,
    where: allOf(sql`t.is_on`, input.q && sql`o.name ilike ${containsPattern(input.q)}`),
    order: {
      by: { organization: { expression: sql`o.name`, cast: 'text' } },
      usual: 'organization',
      id: sql`t.organization_id || ' ' || t.currency`,
    } as const,
  };
  return readPage(ctx.db, input, list, ({ organization, ...row }) => {
    const { used, ...rule } = toRule(row);
    return {
      organizationId: rule.organizationId,
      organization,
      currency: rule.currency,
      threshold: rule.threshold,
      amount: rule.amount,
      monthlyCap: rule.monthlyCap,
      isOn: rule.isOn,
      usedThisMonth: used,
      isCapped: used.minor + rule.amount.minor > rule.monthlyCap.minor,
      isUnderWay: rule.isUnderWay,
      stopped: rule.stopped,
      changedAt: rule.changedAt,
      code: rule.code,
    };
  });
}

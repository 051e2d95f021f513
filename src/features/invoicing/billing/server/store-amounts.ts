// SQL of amounts set for all organizations or for one, by currency. Their tables have the same columns.
import { sql } from 'kysely';
import type { Id, IdPrefix } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { In } from '#kernel/contract.ts';
import type { billing } from '../contract.ts';

type SetAmount<P extends IdPrefix> = {
  id: Id<P>;
  organizationId: Id<'org'> | null;
  organization: string | null;
  currency: Currency;
  amount: Money | null;
  setBy: string;
  setAt: Date;
};
/** An amount in force for an organization in a currency. */
type AmountInForce<P extends IdPrefix> = {
  readonly id: Id<P>;
  readonly organizationId: string;
  /** Whether it is the organization's own rather than the one for all. */
  readonly isOwn: boolean;
  readonly amount: Money;
};
type AmountToStore<P extends IdPrefix> = {
  readonly id: Id<P>;
  readonly organizationId: Id<'org'> | null;
  readonly currency: Currency;
  readonly amount: Money | null;
  readonly setBy: Id<'usr'>;
};

const order: ListOrder = {
  by: {
    // Amounts for all organizations sort before those of single ones.
    organization: { expression: sql`coalesce(o.name, '')`, cast: 'text' },
    amount: { expression: sql`coalesce(t.amount_minor, 0)`, cast: 'bigint' },
    setAt: { expression: sql`t.set_at`, cast: 'timestamptz' },
  },
  usual: 'organization',
  id: sql`t.id`,
};

/** The queries of a table of such amounts. */
export function amountsIn<P extends IdPrefix>(name: 'interim_threshold' | 'credit_limit') {
  type Row = Omit<SetAmount<P>, 'amount'> & { amountMinor: bigint | null };
  const table = sql.table(name);
  const columns = sql<Row>`t.id, t.organization_id as "organizationId", o.name as organization, t.currency, t.amount_minor as "amountMinor", coalesce(u.name, '') as "setBy", t.set_at as "setAt"`;
  const tables = sql`${table} t left join organization o on o.id = t.organization_id left join app_user u on u.id = t.set_by`;
  const shown = ({ amountMinor, ...row }: Row): SetAmount<P> => ({
    ...row,
    amount: amountMinor === null ? null : money(amountMinor, row.currency),
  });
  return {
    /** Returns one page of them with the exact total. */
    page: (ctx: Ctx, input: In<typeof billing.listInterimThresholds>): Promise<Page<SetAmount<P>>> =>
      readPage(
        ctx.db,
        input,
        {
          columns,
          from: tables,
          where: allOf(input.q && sql`coalesce(o.name, '') ilike ${containsPattern(input.q)}`),
          order,
          cap: searchTotalCap,
        },
        (row) => shown(rowItself(row)),
      ),

    /** Sets an amount, replacing the previous one, and returns it. */
    store: async (
      ctx: Ctx,
      { id, organizationId, currency, amount, setBy }: AmountToStore<P>,
    ): Promise<SetAmount<P> | undefined> => {
      await sql`insert into ${table} (id, organization_id, currency, amount_minor, set_by, set_at) values (${id}, ${organizationId}, ${currency}, ${amount?.minor ?? null}, ${setBy}, ${ctx.now})
        on conflict (organization_id, currency) do update set amount_minor = excluded.amount_minor, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
        ctx.db,
      );
      const { rows } =
        await sql<Row>`select ${columns} from ${tables} where t.organization_id is not distinct from ${organizationId} and t.currency = ${currency}`.execute(
          ctx.db,
        );
      return rows[0] && shown(rows[0]);
    },

    /** Removes an amount and returns which organization it was for; undefined if there is none. */
    remove: async (
      ctx: Ctx,
      id: string,
    ): Promise<{ organizationId: Id<'org'> | null; currency: Currency } | undefined> => {
      const { rows } = await sql<{
        organizationId: Id<'org'> | null;
        currency: Currency;
      }>`delete from ${table} where id = ${id} returning organization_id as "organizationId", currency`.execute(
        ctx.db,
      );
      return rows[0];
    },

    /**
     * Returns those in force for some organizations: their own, otherwise those for all. Organizations
     * without any are left out.
     */
    inForce: async (
      ctx: Ctx,
      organizationIds: readonly string[],
    ): Promise<ReadonlyMap<string, readonly AmountInForce<P>[]>> => {
      const { rows } = await sql<{
        organizationId: string;
        isOwn: boolean;
        id: Id<P>;
        currency: Currency;
        amountMinor: bigint;
      }>`select * from (select distinct on (o.id, t.currency) o.id as "organizationId", t.organization_id is not null as "isOwn", t.id, t.currency, t.amount_minor as "amountMinor" from unnest(${[...organizationIds]}::text[]) as o (id)
          join ${table} t on t.organization_id = o.id or t.organization_id is null order by o.id, t.currency, t.organization_id nulls last) as own
        where "amountMinor" is not null`.execute(ctx.db);
      return Map.groupBy(
        rows.map(({ amountMinor, currency, ...row }) => ({ ...row, amount: money(amountMinor, currency) })),
        (row) => row.organizationId,
      );
    },
  };
}

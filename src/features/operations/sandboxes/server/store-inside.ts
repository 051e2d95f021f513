// SQL in the database of a sandbox: counts of its contents, and its mails.
import { sql } from 'kysely';
import type { Page } from '#kernel/shape.ts';
import { allOf, containsPattern, readPage, type ListOrder } from '#platform/server/database/paging.ts';
import { mailKind, readMail } from '#platform/server/mail/mail.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { SandboxMail } from '../contract.ts';
import type { Holdings, ListInput } from './store.ts';

export async function holdingsOf(inside: Pick<Ctx, 'db'>): Promise<Holdings> {
  const { rows } = await sql<{ customers: bigint; bills: bigint; mails: bigint }>`select
      (select count(*) from organization) as customers, (select count(*) from bill) as bills,
      (select count(*) from outbox where kind = ${mailKind}) as mails`.execute(inside.db);
  const [row] = rows;
  return {
    customers: Number(row?.customers ?? 0n),
    bills: Number(row?.bills ?? 0n),
    mails: Number(row?.mails ?? 0n),
  };
}

const order: ListOrder = {
  by: { at: { expression: sql`o.created_at`, cast: 'timestamptz' } },
  usual: '-at',
  id: sql`lpad(o.id::text, 19, '0')`,
};

/** Returns one page of the unsent mails, due or not. */
export const pageOfMails = (inside: Pick<Ctx, 'db'>, input: ListInput): Promise<Page<SandboxMail>> =>
  readPage(
    inside.db,
    input,
    {
      columns: sql<{
        id: string;
        payload: unknown;
        at: Date;
      }>`lpad(o.id::text, 19, '0') as id, o.payload, o.created_at as at`,
      from: sql`outbox o`,
      where: allOf(
        sql`o.kind = ${mailKind}`,
        input.q &&
          sql`(o.payload ->> 'to' ilike ${containsPattern(input.q)} or o.payload ->> 'subject' ilike ${containsPattern(input.q)})`,
      ),
      order,
    },
    ({ id, payload, at }) => {
      const { to, subject, text } = readMail(payload);
      return { id, to, subject, text, at };
    },
  );

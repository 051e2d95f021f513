// Queries about the subjects of approval requests.
import { sql, type Kysely } from 'kysely';

export async function isAdmin(db: Kysely<unknown>, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from app_user where id = ${userId} and role = 'Admin'`.execute(db);
  return rows.length > 0;
}

/** Whether a one-off charge was created by an Admin; late fees were not. */
export async function isOwnCharge(db: Kysely<unknown>, oneOffId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from one_off_charge where id = ${oneOffId} and origin = 'admin'`.execute(db);
  return rows.length > 0;
}

/** Whether the newest version of a quote gives no credit. */
export async function isQuoteWithoutCredit(db: Kysely<unknown>, quoteId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from quote q join quote_version v on v.quote_id = q.id and v.version = q.latest_version
    where q.id = ${quoteId} and jsonb_array_length(v.content -> 'grants') = 0`.execute(db);
  return rows.length > 0;
}

/** The names behind ids, by id and in one statement: a bill's number, a person's account. Unknown ids are missing. */
export async function namesOf(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = [...ids];
  const { rows } = await sql<{ id: string; name: string }>`
    select b.id, b.number || ' · ' || o.name as name from bill b join organization o on o.id = b.organization_id where b.id = any(${wanted}::text[])
    union all select y.id, coalesce(y.number, y.id) || ' · ' || o.name from (select p.id, p.organization_id, b.number from payment p left join bill b on b.id = p.bill_id where p.id = any(${wanted}::text[])) y join organization o on o.id = y.organization_id
    union all select id, name || ' · ' || account from app_user where id = any(${wanted}::text[])
    union all select id, name from organization where id = any(${wanted}::text[])
    union all select id, name from service where id = any(${wanted}::text[])
    union all select id, name from custom_role where id = any(${wanted}::text[])
    union all select q.id, coalesce(q.number, q.id) || ' · ' || o.name from quote q join organization o on o.id = q.organization_id where q.id = any(${wanted}::text[])
    union all select c.id, coalesce(c.name ->> 'enUS', c.id) || ' · ' || o.name from one_off_charge c join organization o on o.id = c.organization_id where c.id = any(${wanted}::text[])
    union all select id, name from api_key where id = any(${wanted}::text[])
    union all select id, name from identity_provider where id = any(${wanted}::text[])
    union all select id, coalesce(file_name, id) from backup where id = any(${wanted}::text[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

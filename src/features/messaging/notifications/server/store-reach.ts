// SQL of how users can be reached: their channels, addresses and preferences, read in bulk.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import type { Role } from '#kernel/roles.ts';
import type { Ctx, NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import type { Category, Channel, DeliveryPreferences } from '../contract.ts';
import { initialPreferences } from '../rules-delivery.ts';

export type Person = {
  readonly id: Id<'usr'>;
  readonly role: Role;
  /** Null: an Admin. */
  readonly organizationId: Id<'org'> | null;
  /** Null: everything that `role` may do. */
  readonly customRole: NarrowedRole | null;
  readonly account: string;
  readonly phone: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly wantsEmail: boolean;
  readonly wantsSms: boolean;
  /**
   * Whether the address is known to be the user's: confirmed, or entered by an Admin or through an
   * invitation.
   */
  readonly isVerified: boolean;
  readonly preferences: DeliveryPreferences;
};

type Row = Omit<Person, 'preferences' | 'timeZone'> & {
  timeZone: string | null;
  matrix: Record<Category, Record<Channel, boolean>> | null;
  quietFrom: string | null;
  quietTo: string | null;
  digestHour: number | null;
  digestCategories: Category[] | null;
};

/** Returns the active users among these, by id. */
export async function peopleOf(ctx: Ctx, userIds: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  const { rows } =
    await sql<Row>`select u.id, u.role, u.organization_id as "organizationId", (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id) as "customRole", u.account, u.phone, u.language, o.time_zone as "timeZone", u.email_notifications as "wantsEmail", u.sms_notifications as "wantsSms",
      (a.user_id is null or a.verified_at is not null) as "isVerified", p.matrix, p.quiet_from as "quietFrom", p.quiet_to as "quietTo", p.digest_hour as "digestHour", p.digest_categories as "digestCategories"
    from app_user u left join organization o on o.id = u.organization_id left join account_email a on a.user_id = u.id left join notification_preference p on p.user_id = u.id
    where u.id = any(${[...userIds]}::text[]) and u.status = 'active'`.execute(ctx.db);
  const platformZone = await ctx.setting(timeZoneSetting);
  return new Map(
    rows.map(({ timeZone, matrix, quietFrom, quietTo, digestHour, digestCategories, ...person }) => [
      person.id,
      {
        ...person,
        timeZone: timeZone ?? platformZone,
        preferences:
          matrix === null
            ? initialPreferences
            : {
                matrix,
                quietHours: quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo },
                digest:
                  digestHour === null || digestCategories === null
                    ? null
                    : { hour: digestHour, categories: digestCategories },
              },
      },
    ]),
  );
}

/** Stores a user's preferences. */
export async function storePreferences(
  ctx: Ctx,
  userId: string,
  { matrix, quietHours, digest }: DeliveryPreferences,
): Promise<void> {
  await sql`insert into notification_preference (user_id, matrix, quiet_from, quiet_to, digest_hour, digest_categories, changed_at)
    values (${userId}, ${JSON.stringify(matrix)}::jsonb, ${quietHours?.from ?? null}, ${quietHours?.to ?? null}, ${digest?.hour ?? null}, ${digest ? [...digest.categories] : null}::text[], ${ctx.now})
    on conflict (user_id) do update set matrix = excluded.matrix, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, digest_hour = excluded.digest_hour, digest_categories = excluded.digest_categories, changed_at = excluded.changed_at`.execute(
    ctx.db,
  );
}

// SQL of who a waiting message is for, and what they may read now.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Role } from '#kernel/roles.ts';
import type { NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import type { NotificationKind } from '../rules-kinds.ts';

type Posted = {
  readonly isActive: boolean;
  readonly reader: {
    readonly role: Role;
    readonly organizationId: string | null;
    readonly customRole: NarrowedRole | null;
  };
  readonly notice: {
    readonly kind: NotificationKind;
    readonly link: string | null;
    readonly organizationId: string | null;
  };
};

async function readersOf(db: Kysely<unknown>, posted: RawBuilder<unknown>): Promise<readonly Posted[]> {
  const { rows } =
    await sql<Posted>`select u.status = 'active' as "isActive", json_build_object('kind', n.kind, 'link', n.link, 'organizationId', n.reader_organization_id) as notice,
      json_build_object('role', u.role, 'organizationId', u.organization_id, 'customRole', (select json_build_object('id', r.id, 'permissions', r.permissions) from custom_role r where r.id = u.custom_role_id)) as reader
    from (${posted}) n join app_user u on u.id = n.user_id`.execute(db);
  return rows;
}

const columns = sql`n.user_id, n.kind, n.link, n.reader_organization_id`;

/** Returns a notice with its reader; none when it is deleted for good. */
export const readersOfNotice = (db: Kysely<unknown>, notificationId: string): Promise<readonly Posted[]> =>
  readersOf(
    db,
    sql`select ${columns} from notification n where n.id = ${notificationId} union all select ${columns} from notification_deleted n where n.id = ${notificationId}`,
  );

/** Returns the notices in a daily e-mail with their reader, by the key of the e-mail in the outbox. */
export const readersOfDigest = (db: Kysely<unknown>, mailKey: string): Promise<readonly Posted[]> =>
  readersOf(
    db,
    sql`select ${columns} from notification n join notification_digest d on d.notification_id = n.id where n.user_id = split_part(${mailKey}, ' ', 2) and d.mail_key = ${mailKey}`,
  );

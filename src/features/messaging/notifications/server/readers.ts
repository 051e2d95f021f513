// Who may read a notice: somebody with a custom role gets only those that lead to pages which they may read, and
// nobody those of an organization that they have left. Lists apply this to their rows, and what waits for its time is
// checked again before it is sent.
import type { Role } from '#kernel/roles.ts';
import { mayReadArea } from '#kernel/permissions.ts';
import { WithdrawDelivery, type Sender, type StoredMessage } from '#platform/server/live/outbox.ts';
import type { App, Ctx, NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import type { Category } from '../contract.ts';
import { allKinds, isKind, kinds, type NotificationKind } from '../rules-kinds.ts';
import { pageOf } from '../rules.ts';
import { isDigestKey, notificationOf } from './delivery-keys.ts';
import { readersOfDigest, readersOfNotice } from './store-readers.ts';

/**
 * Kinds for every reader: an Admin wrote the announcement for its audience, whatever page it leads to, and a test is
 * the reader's own.
 */
export const openKinds: readonly NotificationKind[] = ['announcement', 'system.test'];

type Reader = {
  readonly role: Role;
  /** Null: an Admin. */
  readonly organizationId: string | null;
  readonly customRole: NarrowedRole | null;
};
type PostedNotice = { readonly link: string | null; readonly kind: NotificationKind };

/** Whether somebody may open the page that a notice leads to. */
export const mayFollow = (
  { pageAreas }: Pick<App, 'pageAreas'>,
  customRole: NarrowedRole | null | undefined,
  { link, kind }: PostedNotice,
): boolean =>
  openKinds.includes(kind) || mayReadArea(customRole, link === null ? undefined : pageAreas[pageOf(link)]);

/**
 * The page to which a notice leads a reader: the first of its pages that they may open. Undefined: their custom role
 * excludes them all.
 */
export function linkFor(
  app: Pick<App, 'pageAreas' | 'mayOpen'>,
  reader: Reader | undefined,
  { link, otherLinks = [], kind }: PostedNotice & { readonly otherLinks?: readonly string[] },
): string | null | undefined {
  const links = [link, ...otherLinks].filter((one) =>
    mayFollow(app, reader?.customRole, { link: one, kind }),
  );
  return links.find((one) => one !== null && reader && app.mayOpen(reader, pageOf(one))) ?? links[0];
}

/** Whether a notice is about its reader's own account, wherever they belong. */
const isPersonal = (kind: NotificationKind): boolean =>
  openKinds.includes(kind) || (kinds[kind].isLocked && !kind.startsWith('security.key_'));

/** Kinds that a reader keeps wherever they go. */
export const personalKinds: readonly NotificationKind[] = allKinds.filter(isPersonal);

/** The categories that a role reads about its organization; undefined: all. */
export const categoriesOf = (role: Role): readonly Category[] | undefined =>
  role === 'ReadOnly' ? ['billing'] : undefined;

/** As it is stored with a notice: '' for the platform's people. */
export const storedOrganization = (organizationId: string | null): string => organizationId ?? '';

/**
 * Whether a person may still read a notice that was posted to them: their role may have been narrowed, or they may
 * have moved to another organization. `organizationId`: theirs at that time ('' for an Admin, null if unknown).
 */
export function mayStillRead(
  app: Pick<App, 'pageAreas'>,
  reader: Reader,
  notice: PostedNotice & { readonly organizationId: string | null },
): boolean {
  if (!mayFollow(app, reader.customRole, notice)) return false;
  if (!isKind(notice.kind) || isPersonal(notice.kind)) return true;
  if (categoriesOf(reader.role)?.includes(kinds[notice.kind].category) === false) return false;
  return (
    notice.organizationId === null || notice.organizationId === storedOrganization(reader.organizationId)
  );
}

/** The pages whose notices the caller may read; undefined without a custom role: all. */
export function readablePages({ app, actor }: Ctx): string[] | undefined {
  if (actor.kind !== 'user' || !actor.customRole) return undefined;
  const { customRole } = actor;
  return Object.entries(app.pageAreas).flatMap(([path, area]) =>
    mayReadArea(customRole, area) ? [path] : [],
  );
}

/**
 * A sender that withdraws notices whose reader may not read them any more: a message may have waited for the end of
 * quiet hours, or for its receiver. Other messages are not affected.
 */
export const senderForReaders = (app: App, sender: Sender): Sender => ({
  ...sender,
  send: async (message) => {
    if (!(await isStillWanted(app, message)))
      throw new WithdrawDelivery('the reader may not read it any more');
    await sender.send(message);
  },
});

async function isStillWanted(app: App, { key }: StoredMessage): Promise<boolean> {
  const { kysely } = app.database;
  const notificationId = key === null ? undefined : notificationOf(key);
  if (notificationId !== undefined) {
    // None: its reader deleted it, and that day is over.
    const [posted] = await readersOfNotice(kysely, notificationId);
    return posted !== undefined && posted.isActive && mayStillRead(app, posted.reader, posted.notice);
  }
  if (key === null || !isDigestKey(key)) return true;
  const posted = await readersOfDigest(kysely, key);
  return posted.every(({ isActive, reader, notice }) => isActive && mayStillRead(app, reader, notice));
}

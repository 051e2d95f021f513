// As whom the console shows itself: to most people as its operator, to some as the organization that sells to theirs.
import type { Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Tables } from '../database/tables.ts';

/** How an organization shows itself to the people of those that it sells to. */
export type Brand = {
  /** The organization that sells. */
  readonly organizationId: Id<'org'>;
  readonly name: string;
  /** The id of its logo, which changes with every new one; null without one. */
  readonly logo: Id<'lgo'> | null;
  /** `#RRGGBB`; null: the console's own. */
  readonly accent: string | null;
  /** The sender's name of mails; empty: `name`. */
  readonly senderName: string;
  /** Where answers to mails go, and whom users ask for help; empty: nowhere. */
  readonly replyTo: string;
  /** Its own host name, once that is proved; null: none. */
  readonly host: string | null;
};

/** Finds brands. Nothing found: the operator's own. */
export type Brands = {
  /** The brand for an organization's people at a moment. */
  readonly ofOrganization: (
    db: Kysely<Tables>,
    organizationId: string,
    now: Date,
  ) => Promise<Brand | undefined>;
  /** The brands for some users at a moment, by user. */
  readonly ofUsers: (
    db: Kysely<Tables>,
    userIds: readonly string[],
    now: Date,
  ) => Promise<ReadonlyMap<string, Brand>>;
  /** The brand whose proved host name this is. */
  readonly ofHost: (db: Kysely<Tables>, host: string) => Promise<Brand | undefined>;
};

// The brand under which the console appears: for most people its operator, for some the reseller that sells
// to them.
import type { Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';

/** How a reseller appears to the people of its customers. */
export type Brand = {
  /** The reseller. */
  readonly organizationId: Id<'org'>;
  readonly name: string;
  /** The id of its logo, which changes with every new logo; null without one. */
  readonly logo: Id<'lgo'> | null;
  /** `#RRGGBB`; null: the console's own. */
  readonly accent: string | null;
  /** The sender's name in mails; empty: `name`. */
  readonly senderName: string;
  /** The reply address of mails, also shown to users who need help; empty: none. */
  readonly replyTo: string;
  /** Its own host name, once verified; null: none. */
  readonly host: string | null;
};

/** Finds brands. Undefined stands for the operator's own. */
export type Brands = {
  /** The brand that an organization's people see at a moment. */
  readonly ofOrganization: (
    db: Kysely<unknown>,
    organizationId: string,
    now: Date,
  ) => Promise<Brand | undefined>;
  /** The brands that some users see at a moment, by user. */
  readonly ofUsers: (
    db: Kysely<unknown>,
    userIds: readonly string[],
    now: Date,
  ) => Promise<ReadonlyMap<string, Brand>>;
  /** The brand with this verified host name. */
  readonly ofHost: (db: Kysely<unknown>, host: string) => Promise<Brand | undefined>;
};

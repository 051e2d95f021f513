// As whom the console shows itself: to most people as its operator, to some as the organization that sells to theirs.
import type { Kysely } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Tables } from '../database/tables.ts';
import type { App } from './ctx.ts';

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

/** The console's address under a brand's own host name: scheme and port are those of the console. */
export function brandAddress(app: App, host: string | null): string {
  if (host === null) return app.address();
  const url = new URL(app.address());
  url.hostname = host;
  return url.origin;
}

/** The host name of a request's Host header, without its port, in lower case; undefined when it is none. */
export const hostNameOf = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;

/** The brand at whose own host name a request arrived; undefined at the console's own address. */
export async function brandAtHost(app: App, host: string): Promise<Brand | undefined> {
  const name = hostNameOf(host);
  if (name === undefined || name === new URL(app.address()).hostname) return undefined;
  return app.brands.ofHost(app.database.kysely, name);
}

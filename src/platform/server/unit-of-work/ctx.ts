// What an operation works with: one transaction, one clock reading, one actor.
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { KeyScope } from '#kernel/contract.ts';
import type { Id, IdPrefix } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import { DomainError } from '#kernel/errors.ts';
import type { Permission } from '#kernel/permissions.ts';
import type { Role } from '#kernel/roles.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Translate } from '#kernel/translate.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/db.ts';
import type { FileStore } from '../files/store/file-store.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import type { Secrets } from '../security/secrets.ts';
import type { SandboxHost } from '../sandbox-host.ts';
import type { Setting } from './settings.ts';
import type { DomainEvent } from './domain-event.ts';
import type { Tables } from '../database/tables.ts';
import type { Brands } from './brands.ts';
import type { Vitals } from '../monitoring/vitals.ts';

/**
 * An Admin (`by`) views the console as the actor's user; they may only read, and the audit log names the
 * Admin.
 */
export type Viewing = { readonly viewId: Id<'vas'>; readonly by: Id<'usr'> };

/** A key by which a program acts for the actor's user, and how it narrows what they may do. */
export type ActingKey = {
  readonly keyId: Id<'key'>;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** May make calls that cannot be undone, without a fresh proof of identity. */
  readonly irreversible: boolean;
  /** The networks that it may be used from; empty: any. */
  readonly addresses: readonly string[];
};

/** A call that waited for another Admin's agreement, and who gave it. */
export type Approved = { readonly approvalId: Id<'apr'>; readonly by: Id<'usr'> };
/**
 * A session of the portal: somebody looks at an organization's own pages inside a page of the provider's. The actor's user is who made the
 * link, and acts as one of that organization's people.
 */
export type ActingPortal = {
  readonly linkId: Id<'plk'>;
  /** Which pages the link opens, as the portal's contract names them. */
  readonly pages: readonly string[];
  readonly mayChange: boolean;
  /** Whom the host page named; empty: nobody. */
  readonly actor: string;
};

/** A role that an operator or a customer made: what of their built-in role somebody may do. */
export type NarrowedRole = { readonly id: Id<'rol'>; readonly permissions: readonly Permission[] };

/** The message to the subscribers of a topic: what kind of thing changed, without data. */
export type LiveNews = Readonly<Record<string, string | number>>;

/** Who acts. `system` is the console itself: a job, the command line, or a handler that no request caused. */
export type Actor =
  // `provedAt`: when the user last gave a password or second factor. `mustEnrol`: they lack the second factor
  // that their role needs. `key`: a program acts for them; then there is no session, and the proof is the one
  // that the key was made with.
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly userId: Id<'usr'>;
      readonly sessionId: Id<'ses'> | null;
      readonly role: Role;
      readonly organizationId: Id<'org'> | null;
      readonly name: string;
      readonly provedAt: Date;
      readonly mustEnrol: boolean;
      /** Null: everything that `role` may. */
      readonly customRole: NarrowedRole | null;
      /** The networks that their organization's people, or Admins, must come from; empty or null: any. A key has its own. */
      readonly networks?: readonly string[] | null;
      readonly viewing?: Viewing;
      readonly key?: ActingKey;
      /** Another Admin has agreed to what is done; the audit log names both. */
      readonly approved?: Approved;
      /** They look through a link: only the calls of its pages are open. There is no session then. */
      readonly portal?: ActingPortal;
    }
  | {
      readonly kind: 'apiKey';
      readonly keyId: Id<'key'>;
      readonly scope: KeyScope;
      readonly organizationId: Id<'org'> | null;
      readonly name: string;
    }
  | { readonly kind: 'system'; readonly name: string };

/** One connected event handler; made by `on`. */
export type EventHandler = {
  readonly event: string;
  readonly handle: (ctx: Ctx, payload: never) => Promise<void>;
};

/** Where units of work enqueue jobs; `db` is the transaction of the unit. */
export type Jobs = { readonly send: (name: string, payload: object, db: Db, key?: string) => Promise<void> };

/** Everything that lives as long as the process. */
export type App = {
  readonly config: Config;
  /**
   * The console's address for links in messages: PUBLIC_URL, else the address it listens on. Never taken from
   * a request, which could be forged.
   */
  readonly address: () => string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: Database;
  /** The migrations of the database's schema. */
  readonly migrations: MigrationSource[];
  readonly secrets: Secrets;
  /** Whole files: month packs, changed sentences. */
  readonly files: FileStore;
  /** Files of backups. */
  readonly backupFiles: FileStore;
  readonly jobs: Jobs;
  readonly eventHandlers: readonly EventHandler[];
  readonly translate: Translate;
  /** Under whose name people see the console. */
  readonly brands: Brands;
  /** Measurements of the process and its machine. */
  readonly vitals: Vitals;
  /** Wakes the outbox's sender after a commit that stored messages. */
  readonly wakeOutbox: () => void;
  /** What runs sandboxes; undefined in a sandbox itself, and in commands beside the console. */
  readonly sandboxes?: SandboxHost<App>;
};

/** One unit of work, as an operation uses it. */
export type Ctx = {
  readonly app: App;
  readonly db: Kysely<Tables>;
  readonly actor: Actor;
  /** The clock reading of this unit. */
  readonly now: Date;
  readonly language: Language;
  readonly requestId: string;
  readonly newId: <P extends IdPrefix>(prefix: P) => Id<P>;
  /** Runs the event handlers that the app connected to this event, inside this transaction. */
  readonly emit: <P>(event: DomainEvent<P>, payload: P) => Promise<void>;
  /** Tells the subscribers of a live topic after the commit that their data changed. */
  readonly publish: (topic: string, news: LiveNews) => void;
  /**
   * Stores a message in the outbox; it is sent at least once after the commit, not before `dueAt`. `key`
   * makes it unique.
   */
  readonly send: (kind: string, key: string, payload: unknown, dueAt?: Date) => void;
  /** Adds an action to the audit row of this unit: what was done to which subject. */
  readonly audit: (action: string, subject?: string, detail?: Readonly<Record<string, unknown>>) => void;
  /**
   * Adds a write whose result is not needed: at the unit's end it runs in one statement with the unit's other
   * parts and its audit row. A `name` must always stand for the same text; the text ends with `returning 1`.
   */
  readonly part: (name: string, write: RawBuilder<unknown>) => void;
  readonly setting: <T>(setting: Setting<T>) => Promise<T>;
  /** A text in a language (the request's when left out). */
  readonly text: (key: string, params?: TextParams, language?: Language) => string;
  /**
   * Starts a job after the commit; with a `key` it is not started while a job with that key waits or runs.
   */
  readonly enqueue: (job: string, payload: object, key?: string) => Promise<void>;
};

/** The signed-in user; throws 401 when there is none. */
export function person(ctx: Ctx): Extract<Actor, { kind: 'user' }> {
  if (ctx.actor.kind !== 'user') throw new DomainError('platform.sign_in_required', 401);
  return ctx.actor;
}

/** The session of the signed-in user; throws 401 when a program acts for them. */
export function ownSession(ctx: Ctx): Id<'ses'> {
  const { sessionId } = person(ctx);
  if (sessionId === null) throw new DomainError('platform.sign_in_required', 401);
  return sessionId;
}

/** The organization that the actor acts for; throws 403 when there is none. */
export function tenant(ctx: Ctx): Id<'org'> {
  const organizationId =
    ctx.actor.kind === 'user' || ctx.actor.kind === 'apiKey' ? ctx.actor.organizationId : null;
  if (!organizationId) throw new DomainError('platform.no_organization', 403);
  return organizationId;
}

/**
 * The key by which an actor's calls are counted and limited: of an Admin who views as a user, the Admin's; of
 * a program that acts for a user, its own; of somebody who looks through a link, the link's.
 */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'user')
    return actor.portal?.linkId ?? actor.key?.keyId ?? actor.viewing?.by ?? actor.userId;
  return actor.kind === 'apiKey' ? actor.keyId : actor.kind;
}

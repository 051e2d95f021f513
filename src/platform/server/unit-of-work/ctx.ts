// The context of an operation: one transaction, one clock reading, one actor.
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { KeyScope } from '#kernel/contract.ts';
import type { Id, IdPrefix } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import { DomainError } from '#kernel/errors.ts';
import type { KeyArea, Permission } from '#kernel/permissions.ts';
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
import type { Brands } from './brands.ts';
import type { Vitals } from '../monitoring/vitals.ts';

/**
 * An Admin (`by`) views the console as the actor's user; they may only read, and the audit log names the
 * Admin.
 */
export type Viewing = { readonly viewId: Id<'vas'>; readonly by: Id<'usr'> };

/** A key by which a program acts for the actor's user, and how it restricts what they may do. */
export type ActingKey = {
  readonly keyId: Id<'key'>;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Allows calls that cannot be undone, without a fresh proof of identity. */
  readonly irreversible: boolean;
  /** The networks from which the key may be used; empty: any. */
  readonly addresses: readonly string[];
};

/** A call that another Admin approved, and who that was. */
export type Approved = { readonly approvalId: Id<'apr'>; readonly by: Id<'usr'> };
/**
 * A portal session: somebody sees an organization's own pages embedded in a page of the provider. The actor's
 * user is the creator of the link, acting as one of that organization's people.
 */
export type ActingPortal = {
  readonly linkId: Id<'plk'>;
  /** The pages that the link opens, as named in the portal's contract. */
  readonly pages: readonly string[];
  readonly mayChange: boolean;
  /** The person named by the host page; empty: nobody. */
  readonly actor: string;
};

/** A custom role made by an operator or a customer, which narrows its holder's built-in role. */
export type NarrowedRole = { readonly id: Id<'rol'>; readonly permissions: readonly Permission[] };

/** A message to the subscribers of a topic: what kind of thing changed, without data. */
export type LiveNews = Readonly<Record<string, string | number>>;

/**
 * The actor of an operation. `system` is the console itself: a job, the command line, or a handler that no
 * request caused.
 */
export type Actor =
  // `provedAt`: when the user last entered a password or second factor. `mustEnrol`: they lack the second
  // factor that their role requires. `key`: a program acts for them; then there is no session, and the proof
  // is the one with which the key was created.
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
      /** Null: everything that `role` may do. */
      readonly customRole: NarrowedRole | null;
      /**
       * The networks from which their organization's people, or Admins, must connect; empty or null: any. A
       * key has its own list.
       */
      readonly networks?: readonly string[] | null;
      readonly viewing?: Viewing;
      readonly key?: ActingKey;
      /** Another Admin approved the call; the audit log names both. */
      readonly approved?: Approved;
      /** The actor uses a portal link: only the calls of its pages are allowed. There is no session then. */
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

/** A connected event handler; created by `on`. */
export type EventHandler = {
  readonly event: string;
  readonly handle: (ctx: Ctx, payload: never) => Promise<void>;
};

/** Enqueues jobs for units of work; `db` is the transaction of the unit. */
export type Jobs = { readonly send: (name: string, payload: object, db: Db, key?: string) => Promise<void> };

/** The services that live as long as the process. */
export type App = {
  readonly config: Config;
  /**
   * The console's address for links in messages: PUBLIC_URL, else the address it listens on. Never taken from
   * a request, where it could be forged.
   */
  readonly address: () => string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: Database;
  /** The migrations of the database schema. */
  readonly migrations: MigrationSource[];
  readonly secrets: Secrets;
  /** Whole files: month packs, changed texts. */
  readonly files: FileStore;
  /** The files of backups. */
  readonly backupFiles: FileStore;
  readonly jobs: Jobs;
  readonly eventHandlers: readonly EventHandler[];
  readonly translate: Translate;
  /** Finds the brand under which people see the console. */
  readonly brands: Brands;
  /**
   * The area of the console that each page belongs to, by path; null: open to everybody. Somebody with a custom
   * role gets no notice that leads to a page of an area that they may not read.
   */
  readonly pageAreas: Readonly<Record<string, KeyArea | null>>;
  /** Whether somebody's menu has a page, given by its path. */
  readonly mayOpen: (
    person: { readonly role: Role; readonly customRole: NarrowedRole | null },
    path: string,
  ) => boolean;
  /** Measurements of the process and its machine. */
  readonly vitals: Vitals;
  /** Wakes the outbox sender after a commit that stored messages. */
  readonly wakeOutbox: () => void;
  /** Runs the sandboxes; undefined in a sandbox itself, and in commands alongside the console. */
  readonly sandboxes?: SandboxHost<App>;
};

/** One unit of work, as seen by an operation. */
export type Ctx = {
  readonly app: App;
  readonly db: Kysely<unknown>;
  readonly actor: Actor;
  /** The clock reading of this unit. */
  readonly now: Date;
  readonly language: Language;
  readonly requestId: string;
  readonly newId: <P extends IdPrefix>(prefix: P) => Id<P>;
  /** Runs the event handlers that the app connected to this event, inside this transaction. */
  readonly emit: <P>(event: DomainEvent<P>, payload: P) => Promise<void>;
  /** Notifies the subscribers of a live topic after the commit that their data changed. */
  readonly publish: (topic: string, news: LiveNews) => void;
  /**
   * Stores a message in the outbox; it is sent at least once after the commit, not before `dueAt`. `key`
   * makes it unique.
   */
  readonly send: (kind: string, key: string, payload: unknown, dueAt?: Date) => void;
  /**
   * Adds an action to the audit row of this unit: what was done to which subject. `by` is the user who did it, where a call without
   * a sign-in has found out who sent it.
   */
  readonly audit: (
    action: string,
    subject?: string,
    detail?: Readonly<Record<string, unknown>>,
    by?: string,
  ) => void;
  /**
   * Adds a write whose result is not needed: at the end of the unit it runs in one statement with the unit's
   * other parts and its audit row. A `name` must always stand for the same SQL, which must end with
   * `returning 1`.
   */
  readonly part: (name: string, write: RawBuilder<unknown>) => void;
  readonly setting: <T>(setting: Setting<T>) => Promise<T>;
  /** Translates a text into a language (default: the request's). */
  readonly text: (key: string, params?: TextParams, language?: Language) => string;
  /**
   * Enqueues a job that starts after the commit; with a `key` it is not enqueued while a job with that key
   * waits or runs.
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
 * The key under which an actor's calls are counted and limited: for an Admin who views as a user, the
 * Admin's; for a program that acts for a user, its own; for the holder of a portal link, the link's.
 */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'user')
    return actor.portal?.linkId ?? actor.key?.keyId ?? actor.viewing?.by ?? actor.userId;
  return actor.kind === 'apiKey' ? actor.keyId : actor.kind;
}

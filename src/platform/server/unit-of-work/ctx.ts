// What an operation works with: one transaction, one clock reading, one actor.
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { KeyScope } from '#kernel/contract.ts';
import type { Id, IdPrefix } from '#kernel/ids.ts';
import type { Language } from '#kernel/language.ts';
import { DomainError } from '#kernel/errors.ts';
import type { Role } from '#kernel/roles.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Translate } from '#kernel/translate.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/db.ts';
import type { MigrationSource } from '../database/migration-files.ts';
import type { Secrets } from '../security/secrets.ts';
import type { Setting } from './settings.ts';
import type { DomainEvent } from './domain-event.ts';
import type { Tables } from '../database/tables.ts';
import type { Vitals } from '../monitoring/vitals.ts';

/** An Admin (`by`) looks at the console as the user of the actor sees it; they may read, and what they do is theirs. */
export type Viewing = { readonly viewId: Id<'vas'>; readonly by: Id<'usr'> };

/** What the watchers of a topic are told: what kind of thing is new, no data. */
export type LiveNews = Readonly<Record<string, string | number>>;

/** Who acts. `system` is the console itself: a job, the command line, a reaction to nobody's request. */
export type Actor =
  // `provedAt`: when they last showed password or factor. `mustEnrol`: they lack the second factor that their role needs.
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly userId: Id<'usr'>;
      readonly sessionId: Id<'ses'>;
      readonly role: Role;
      readonly organizationId: Id<'org'> | null;
      readonly name: string;
      readonly provedAt: Date;
      readonly mustEnrol: boolean;
      readonly viewing?: Viewing;
    }
  | {
      readonly kind: 'apiKey';
      readonly keyId: Id<'key'>;
      readonly scope: KeyScope;
      readonly organizationId: Id<'org'> | null;
      readonly name: string;
    }
  | { readonly kind: 'system'; readonly name: string };

/** One plugged-in reaction; made by `when`. */
export type EventHandler = {
  readonly event: string;
  readonly handle: (ctx: Ctx, payload: never) => Promise<void>;
};

/** Where units of work leave jobs; `db` is the transaction that asks. */
export type Jobs = { readonly send: (name: string, payload: object, db: Db, key?: string) => Promise<void> };

/** Everything that lives as long as the process. */
export type App = {
  readonly config: Config;
  /** Where people reach the console, for links in messages: PUBLIC_URL, else where it listens; never what a request says. */
  readonly address: () => string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly database: Database;
  /** What the database's schema is made by. */
  readonly migrations: MigrationSource[];
  readonly secrets: Secrets;
  readonly jobs: Jobs;
  readonly eventHandlers: readonly EventHandler[];
  readonly translate: Translate;
  /** How the process and its machine have been doing. */
  readonly vitals: Vitals;
  /** Wakes the outbox's sender after a commit that left messages. */
  readonly wakeOutbox: () => void;
};

/** One unit of work, as an operation sees it. */
export type Ctx = {
  readonly app: App;
  readonly db: Kysely<Tables>;
  readonly actor: Actor;
  /** The one clock reading of this unit. */
  readonly now: Date;
  readonly language: Language;
  readonly requestId: string;
  readonly newId: <P extends IdPrefix>(prefix: P) => Id<P>;
  /** Runs the event handlers that the app plugged into this signal, inside this transaction. */
  readonly emit: <P>(event: DomainEvent<P>, payload: P) => Promise<void>;
  /** Tells the watchers of a live topic to look again, after commit. */
  readonly publish: (topic: string, news: LiveNews) => void;
  /** Leaves a message for the outbox, sent at least once after commit, and not before `dueAt`. `key` makes it unique. */
  readonly send: (kind: string, key: string, payload: unknown, dueAt?: Date) => void;
  /** Adds to the audit row of this unit: what was done to what. */
  readonly audit: (action: string, subject?: string, detail?: Readonly<Record<string, unknown>>) => void;
  /**
   * Adds a write whose result nobody waits for: it goes with all others of the unit and its audit row as one statement at
   * the unit's end. `name` belongs to one text for ever; the text ends with `returning 1`.
   */
  readonly part: (name: string, write: RawBuilder<unknown>) => void;
  readonly setting: <T>(setting: Setting<T>) => Promise<T>;
  /** A sentence in a language (the request's when left out). */
  readonly text: (key: string, params?: TextParams, language?: Language) => string;
  /** Starts a job after commit; with a `key`, not while one with that key waits or runs. */
  readonly enqueue: (job: string, payload: object, key?: string) => Promise<void>;
};

/** The signed-in person, or a refusal (401) when there is none. */
export function person(ctx: Ctx): Extract<Actor, { kind: 'user' }> {
  if (ctx.actor.kind !== 'user') throw new DomainError('platform.sign_in_required', 401);
  return ctx.actor;
}

/** The organization on whose behalf the actor acts, or a refusal (403) when they have none. */
export function tenant(ctx: Ctx): Id<'org'> {
  const organizationId =
    ctx.actor.kind === 'user' || ctx.actor.kind === 'apiKey' ? ctx.actor.organizationId : null;
  if (!organizationId) throw new DomainError('platform.no_organization', 403);
  return organizationId;
}

/** One name for whoever is behind an actor, for counting and quieting: of an Admin who views, the Admin's. */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'user') return actor.viewing?.by ?? actor.userId;
  return actor.kind === 'apiKey' ? actor.keyId : actor.kind;
}

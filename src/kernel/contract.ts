// Contracts: each feature's calls as plain data, from which client, server checks, documents and tests
// follow.
import * as z from 'zod/mini';
import type { Role } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** What an API key may do. */
export const keyScopes = ['metering', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * Who may call. Deny by default: a route without it does not compile, and the server does not start with it.
 * `public` needs nothing; `cookie` needs only the session cookie (to obtain or end a session); otherwise a
 * signed-in user with one of `roles`, or an API key with one of the scopes.
 */
export type Access =
  | 'public'
  | 'cookie'
  | { readonly roles: readonly Role[]; readonly apiKey?: KeyScope | readonly KeyScope[] };

/** The scopes of API keys that a route accepts; none for most. */
export function scopesOf(access: Access): readonly KeyScope[] {
  if (typeof access === 'string' || access.apiKey === undefined) return [];
  return typeof access.apiKey === 'string' ? [access.apiKey] : access.apiKey;
}

/** A body that is no JSON object of the input: its media type and its largest size in bytes. */
export type RawBody = { readonly types: readonly string[]; readonly maxBytes: number };

type ObjectShape = z.ZodMiniObject;

export type Route<I extends ObjectShape = ObjectShape, O extends z.ZodMiniType = z.ZodMiniType> = {
  readonly method: Method;
  /** Below /api; `:name` takes the input's field of that name. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The title in the API documentation, as in "Create a user": imperative, without a full stop, unlike every other. */
  readonly summary: string;
  /** What the title does not say, in whole sentences. */
  readonly description?: string;
  /** Path parameters, query (GET, DELETE) and body (others) as one object. */
  readonly input: I;
  readonly output: O;
  /** HTTP status of success; 200 when left out. */
  readonly status?: 200 | 201 | 202;
  /**
   * True: the browser sends an Idempotency-Key, because the call moves money, or creates a subscription, a bill
   * or a user. False: takes none ({@link takesIdempotencyKey} says why most writes do).
   */
  readonly idempotent?: boolean;
  /** Secret fields of the answer: they are not stored, and a repeat with the same key gets null there. */
  readonly saidOnce?: readonly string[];
  /** Takes this body instead of a JSON object; the verb gets it beside the input. */
  readonly raw?: RawBody;
  /**
   * Cannot be undone: asks for a proof of identity (password, second factor) from the last {@link
   * freshMinutes} minutes.
   */
  readonly fresh?: true;
  /**
   * Also open to an Admin without the second factor that their role needs, because it is needed to set one
   * up.
   */
  readonly beforeEnrolment?: true;
  /**
   * Also open to an Admin who views as another user and may otherwise only read, because it ends that view.
   */
  readonly endsView?: true;
  /**
   * May run for many minutes, so neither side ends the connection meanwhile. It commits in steps, so that a
   * lost answer loses no work.
   */
  readonly long?: true;
  /**
   * Pages of other sites send people here, as identity providers do; the call reads no session and proves by
   * itself who sent it.
   */
  readonly fromOtherSites?: true;
  /** The answer at one address never changes, so the browser may cache it. */
  readonly lasting?: true;
  /** The browser sends such reads in one batch call when a page starts several at once. */
  readonly isBatchable?: true;
  /**
   * Other reads that come along when the query's `expand` names them, in the answer's `expanded`: the name and the path of a read that needs no
   * other input. Its `:name` is the call's own parameter, or else the answer's field of that name.
   */
  readonly expand?: Readonly<Record<string, `/${string}`>>;
  /**
   * Another call does this better. It answers as before until `until` (both days are UTC, `2026-11-27`), and says in its headers since when it
   * is out of date, how long it stays, and which path takes its place (RFC 9745, RFC 8594).
   */
  readonly deprecated?: { readonly since: string; readonly until: string; readonly use: `/${string}` };
  /** How many of these calls one caller may have running at once; more are refused (429). */
  readonly atOnce?: number;
  /** Calls allowed per address and minute, when fewer than usual. */
  readonly perMinute?: number;
};

/** How long a proof of identity counts as fresh, in minutes. */
export const freshMinutes = 15;

export type Contract = Readonly<Record<string, Route>>;

/** Declares one route and keeps the types of its input and output. */
export function route<I extends ObjectShape, O extends z.ZodMiniType>(spec: Route<I, O>): Route<I, O> {
  return spec;
}

/** Declares a feature's calls. The key of a route is its verb and its query key in the browser. */
export function contract<C extends Contract>(routes: C): C {
  return routes;
}

/** The input of a verb. */
export type In<R> = R extends { readonly input: infer I extends z.core.SomeType } ? z.output<I> : never;
/** The result of a verb, and of the call in the browser: money is Money, moments are Date. */
export type Out<R> = R extends { readonly output: infer O extends z.core.SomeType } ? z.output<O> : never;

/** An answer that is a file instead of JSON. */
export type FileAnswer = {
  readonly fileName: string;
  readonly mediaType: string;
  /** The number of rows of a table, if known. */
  readonly totalRows?: number;
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
};
/** Marks a route whose answer is a file. The browser gets a Blob. */
export const file = z.custom<FileAnswer>(
  (value) => typeof value === 'object' && value !== null && 'mediaType' in value,
);
/** An answer that sends the browser to a path of ours. */
export type RedirectAnswer = { readonly location: string };
/** Marks a route whose answer is a redirect (303), because a browser arrives at it from another site. */
export const redirect = z.custom<RedirectAnswer>(
  (value) => typeof value === 'object' && value !== null && 'location' in value,
);
/** Marks an answer without content: `data` is null. */
export const nothing = z.null();
/** An input without fields. */
export const noInput = z.strictObject({});

/** The JSON around every answer (api.md, "Conventions"). */
export type Envelope = {
  readonly data: unknown;
  readonly isSuccess: boolean;
  readonly message: string;
  readonly code?: string;
  readonly errors?: readonly { field: string; code: string; message: string }[];
  readonly requestId?: string;
};

/**
 * Whether a call takes an Idempotency-Key. Every write does that happens in one unit of work, where claiming
 * the key, the effect and the stored answer are committed together. Not: calls without a caller, whose keys
 * would be everybody's; answers that are files, which are not stored; bodies of their own media type, which may
 * be large; and verbs with their own units of work unless they claim the key themselves (`idempotent`).
 */
export function takesIdempotencyKey(route: Route, ownUnitOfWork: boolean): boolean {
  if (route.idempotent !== undefined) return route.idempotent;
  return (
    route.method !== 'GET' &&
    typeof route.access === 'object' &&
    route.output !== file &&
    !route.raw &&
    !ownUnitOfWork
  );
}

/** The names of a path's parameters: '/bills/:billId' has ['billId']. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

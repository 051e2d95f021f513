// Contracts: each feature's API calls as plain data. The client, server-side checks, API documentation and
// tests are derived from them.
import * as z from 'zod/mini';
import type { Role } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** What an API key may do. */
export const keyScopes = ['metering', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * Who may call a route. Deny by default: a route without `access` does not compile, and the server refuses to
 * start with one. `public` needs nothing; `cookie` needs only the session cookie (to obtain or end a
 * session); otherwise the caller is a signed-in user with one of `roles`, or an API key with one of the
 * scopes.
 */
export type Access =
  | 'public'
  | 'cookie'
  | { readonly roles: readonly Role[]; readonly apiKey?: KeyScope | readonly KeyScope[] };

/** The API key scopes that a route accepts; empty for most routes. */
export function scopesOf(access: Access): readonly KeyScope[] {
  if (typeof access === 'string' || access.apiKey === undefined) return [];
  return typeof access.apiKey === 'string' ? [access.apiKey] : access.apiKey;
}

/** A request body that is not the JSON object of `input`: its media types and maximum size in bytes. */
export type RawBody = { readonly types: readonly string[]; readonly maxBytes: number };

type ObjectShape = z.ZodMiniObject;

export type Route<I extends ObjectShape = ObjectShape, O extends z.ZodMiniType = z.ZodMiniType> = {
  readonly method: Method;
  /** Below /api; `:name` is filled from the input field of that name. */
  readonly path: `/${string}`;
  readonly access: Access;
  /**
   * The title in the API documentation, such as "Create a user": imperative, and without a full stop, unlike
   * all other texts.
   */
  readonly summary: string;
  /** Whatever the title does not say, in full sentences. */
  readonly description?: string;
  /** Path parameters, query (GET, DELETE) and body (other methods) as one object. */
  readonly input: I;
  readonly output: O;
  /** HTTP status on success; defaults to 200. */
  readonly status?: 200 | 201 | 202;
  /**
   * True: the browser sends an Idempotency-Key, because the call moves money or creates a subscription, a
   * bill or a user. False: the call takes no key. {@link takesIdempotencyKey} explains why most writes take
   * one.
   */
  readonly idempotent?: boolean;
  /**
   * Response fields that hold secrets. They are not stored, so a repeat with the same idempotency key gets
   * null for them.
   */
  readonly returnedOnce?: readonly string[];
  /** Takes this body instead of a JSON object; the verb receives it alongside the input. */
  readonly raw?: RawBody;
  /**
   * Cannot be undone: asks for a proof of identity (password, second factor) from the last {@link
   * freshMinutes} minutes.
   */
  readonly fresh?: true;
  /**
   * Also open to Admins who have not yet set up the second factor their role requires, because they need this
   * call to set it up.
   */
  readonly beforeEnrolment?: true;
  /** Also open to an Admin who is viewing as another user and may otherwise only read, because it ends that view. */
  readonly endsView?: true;
  /**
   * May run for many minutes, so neither side times out the connection. The call commits in steps, so a lost
   * response loses no work.
   */
  readonly long?: true;
  /**
   * Called from pages of other sites, such as identity providers. The call reads no session and verifies the
   * sender itself.
   */
  readonly fromOtherSites?: true;
  /** The response at a given URL never changes, so the browser may cache it. */
  readonly lasting?: true;
  /** The browser combines such reads into one batch call when a page starts several at once. */
  readonly isBatchable?: true;
  /**
   * Other reads that the query's `expand` can add to the response's `expanded` field: name → path of a read
   * that needs no other input. A `:name` in the path is the call's own parameter, or else the response field
   * of that name.
   */
  readonly expand?: Readonly<Record<string, `/${string}`>>;
  /**
   * Superseded by another call. It works unchanged until `until` (both days are UTC, `2026-11-27`); its
   * response headers say since when it is deprecated, when it will be removed, and which path replaces it
   * (RFC 9745, RFC 8594).
   */
  readonly deprecated?: { readonly since: string; readonly until: string; readonly use: `/${string}` };
  /** How many of these calls one caller may run concurrently; more are rejected (429). */
  readonly atOnce?: number;
  /** Calls allowed per address and minute, when lower than the default. */
  readonly perMinute?: number;
};

/** How long a proof of identity counts as fresh, in minutes. */
export const freshMinutes = 15;

export type Contract = Readonly<Record<string, Route>>;

/** Declares one route and preserves the types of its input and output. */
export function route<I extends ObjectShape, O extends z.ZodMiniType>(spec: Route<I, O>): Route<I, O> {
  return spec;
}

/** Declares a feature's calls. A route's key is the name of its verb and its query key in the browser. */
export function contract<C extends Contract>(routes: C): C {
  return routes;
}

/** The input type of a verb. */
export type In<R> = R extends { readonly input: infer I extends z.core.SomeType } ? z.output<I> : never;
/** The result type of a verb and of the call in the browser: money is Money, moments are Date. */
export type Out<R> = R extends { readonly output: infer O extends z.core.SomeType } ? z.output<O> : never;

/** A response that is a file instead of JSON. */
export type FileAnswer = {
  readonly fileName: string;
  readonly mediaType: string;
  /** The number of rows in a table, if known. */
  readonly totalRows?: number;
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
};
/** Marks a route that responds with a file. The browser gets a Blob. */
export const file = z.custom<FileAnswer>(
  (value) => typeof value === 'object' && value !== null && 'mediaType' in value,
);
/** A response that redirects the browser to one of our own paths. */
export type RedirectAnswer = { readonly location: string };
/** Marks a route that responds with a redirect (303), because a browser arrives at it from another site. */
export const redirect = z.custom<RedirectAnswer>(
  (value) => typeof value === 'object' && value !== null && 'location' in value,
);
/** Marks a response without content: `data` is null. */
export const nothing = z.null();
/** An input without fields. */
export const noInput = z.strictObject({});

/** The JSON envelope of every response (api.md, "Conventions"). */
export type Envelope = {
  readonly data: unknown;
  readonly isSuccess: boolean;
  readonly message: string;
  readonly code?: string;
  readonly errors?: readonly { field: string; code: string; message: string }[];
  readonly requestId?: string;
};

/**
 * Whether a call takes an Idempotency-Key. Every write that runs in one unit of work does: claiming the key,
 * the effect and the stored response are committed together. Excluded are calls without a caller, whose keys
 * would be shared by everybody; responses that are files, which are not stored; bodies of their own media
 * type, which may be large; and verbs with their own units of work, unless they claim the key themselves
 * (`idempotent`).
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

/** The parameter names in a path: '/bills/:billId' has ['billId']. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

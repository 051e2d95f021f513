// Contracts: each feature's calls as plain data, from which client, server checks, documents and tests follow.
import * as z from 'zod/mini';
import type { Role } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** What an API key may do. */
export const keyScopes = ['metering', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * Who may call. Deny by default: a route that declares nothing does not compile and does not start.
 * `public` needs nothing; `cookie` is the session cookie alone (only to obtain or end a session);
 * otherwise a signed-in person with one of `roles`, or an API key with (one of) the scope(s).
 */
export type Access =
  | 'public'
  | 'cookie'
  | { readonly roles: readonly Role[]; readonly apiKey?: KeyScope | readonly KeyScope[] };

/** The scopes of API keys that a route takes; none for most. */
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
  /** One sentence for the documents. */
  readonly summary: string;
  /** Path parameters, query (GET, DELETE) and body (others) as one object. */
  readonly input: I;
  readonly output: O;
  /** HTTP status of success; 200 when left out. */
  readonly status?: 200 | 201 | 202;
  /** Honours Idempotency-Key: moves money, or creates a subscription, a bill or a user. */
  readonly idempotent?: true;
  /** Fields of the answer that are said once: a repeat with the same key gets null there, and they are stored nowhere. */
  readonly saidOnce?: readonly string[];
  /** Takes this body instead of a JSON object; the verb gets it beside the input. */
  readonly raw?: RawBody;
  /** Moves what cannot be moved back: asks for a proof of the person (password, factor) of the last {@link freshMinutes} minutes. */
  readonly fresh?: true;
  /** Open to an Admin who still lacks the second factor that their role needs: what it takes to get one. */
  readonly beforeEnrolment?: true;
  /** Open to an Admin who views as somebody, who may otherwise only read: it ends that. */
  readonly endsView?: true;
  /** May work for many minutes: neither side cuts the connection off meanwhile. What it does commits in steps, so that a lost answer loses nothing. */
  readonly long?: true;
  /** What it answers under one address never changes: the browser may keep it. */
  readonly lasting?: true;
  /** A read that pages ask for beside others: the browser sends all that are asked for at one moment as one call. */
  readonly isBatchable?: true;
  /** How many of these one caller may have running at once; more are refused (429). */
  readonly atOnce?: number;
  /** Calls allowed for each address and minute, when fewer than usual. */
  readonly perMinute?: number;
};

/** How long a proof of the person counts as fresh. */
export const freshMinutes = 15;

export type Contract = Readonly<Record<string, Route>>;

/** Declares one route; the types of input and output are kept. */
export function route<I extends ObjectShape, O extends z.ZodMiniType>(spec: Route<I, O>): Route<I, O> {
  return spec;
}

/** Declares a feature's calls. The key of a route is its verb and its query key in the browser. */
export function contract<C extends Contract>(routes: C): C {
  return routes;
}

/** What a verb receives. */
export type In<R> = R extends { readonly input: infer I extends z.core.SomeType } ? z.output<I> : never;
/** What a verb returns and what the browser gets: money is Money, moments are Date. */
export type Out<R> = R extends { readonly output: infer O extends z.core.SomeType } ? z.output<O> : never;

/** An answer that is a file instead of JSON. */
export type FileAnswer = {
  readonly fileName: string;
  readonly mediaType: string;
  /** How many rows of a table it holds, where that is known. */
  readonly totalRows?: number;
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
};
/** Marks a route whose answer is a file. The browser gets a Blob. */
export const file = z.custom<FileAnswer>(
  (value) => typeof value === 'object' && value !== null && 'mediaType' in value,
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

/** The names in a path's places: '/bills/:billId' has ['billId']. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}

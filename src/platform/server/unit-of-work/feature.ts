// A column's server side as the app sees it: its contract with one verb a route, its errors, texts and jobs.
import type { Contract, In, Out } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import type { Ctx, App } from './ctx.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Sender } from '../live/outbox.ts';

/** What a raw body was: its bytes and media type. */
export type RawInput = {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** Things a verb may do to the answer besides its data; only the ways in and out need them. */
export type Reply = {
  readonly cookie: (name: string) => string | undefined;
  readonly setSessionCookies: (token: string, expiresAt: Date, userView: object) => void;
  readonly clearSessionCookies: () => void;
  /** Sets a cookie that only this server reads: HttpOnly, same site, at most three days. */
  readonly setCookie: (name: string, value: string, maxAgeSeconds: number) => void;
  readonly clearCookie: (name: string) => void;
  readonly address: string;
  readonly userAgent: string;
  readonly raw: RawInput | undefined;
  /** For verbs with units of their own: the key of a request that must happen once, to be claimed in the unit that has the effect. */
  readonly once: { readonly key: string; readonly route: string; readonly hash: string } | undefined;
};

/** One operation for each route: a missing one does not compile. */
export type Verbs<C extends Contract> = {
  readonly [K in keyof C]: (ctx: Ctx, input: In<C[K]>, reply: Reply) => Promise<Out<C[K]>>;
};

export type Feature = {
  readonly name: string;
  readonly contract: Contract;
  readonly verbs: Readonly<Record<string, (ctx: Ctx, input: never, reply: Reply) => Promise<unknown>>>;
  readonly errors: ErrorTable;
  readonly jobs: readonly Job[];
  /** Routes whose verbs open their own units of work (a set of chunks, say) instead of one for the request. */
  readonly ownUnitOfWork: readonly string[];
  /** What sends the column's outbox messages, by kind. */
  readonly senders: Senders;
};

/** Makers of senders by the kind of message they send; undefined where the console has no such channel. */
export type Senders = Readonly<Record<string, (app: App) => Sender | undefined>>;

/** Declares a column's server side. */
export function feature<C extends Contract>(spec: {
  name: string;
  contract: C;
  verbs: Verbs<C>;
  errors: ErrorTable;
  jobs?: readonly Job[];
  ownUnitOfWork?: readonly (keyof C & string)[];
  senders?: Senders;
}): Feature {
  return {
    name: spec.name,
    contract: spec.contract,
    verbs: spec.verbs as Feature['verbs'],
    errors: spec.errors,
    jobs: spec.jobs ?? [],
    ownUnitOfWork: spec.ownUnitOfWork ?? [],
    senders: spec.senders ?? {},
  };
}

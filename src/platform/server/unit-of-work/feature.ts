// The server side of a feature as the app uses it: its contract with one verb per route, its errors, texts
// and jobs.
import type { Contract, In, Out } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import type { Ctx, App } from './ctx.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Sender } from '../live/outbox.ts';

/** A raw request body: its bytes and media type. */
export type RawInput = {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** What a verb may do to the response besides its data; only sign-in and sign-out need it. */
export type Reply = {
  readonly cookie: (name: string) => string | undefined;
  readonly setSessionCookies: (token: string, expiresAt: Date, userView: object) => void;
  readonly clearSessionCookies: () => void;
  /** Sets a cookie for this host only: HttpOnly, same-site, at most three days. */
  readonly setCookie: (name: string, value: string, maxAgeSeconds: number) => void;
  readonly clearCookie: (name: string) => void;
  readonly address: string;
  /** The host name and port that the request was sent to. Anybody can forge it. */
  readonly host: string;
  readonly userAgent: string;
  readonly raw: RawInput | undefined;
  /** For verbs with their own units of work: the idempotency key, to be claimed in the unit that has the effect. */
  readonly once: { readonly key: string; readonly route: string; readonly hash: string } | undefined;
};

/** The reply of a call that no browser waits for: it has no cookies, and sets none. */
export function replyWithoutBrowser(
  caller: Pick<Reply, 'address' | 'host' | 'userAgent' | 'raw' | 'once'>,
): Reply {
  const ignore = (): void => undefined;
  return {
    cookie: () => undefined,
    setCookie: ignore,
    clearCookie: ignore,
    setSessionCookies: ignore,
    clearSessionCookies: ignore,
    ...caller,
  };
}

/** One operation per route; a missing one does not compile. */
export type Verbs<C extends Contract> = {
  readonly [K in keyof C]: (ctx: Ctx, input: In<C[K]>, reply: Reply) => Promise<Out<C[K]>>;
};

export type Feature = {
  readonly name: string;
  readonly contract: Contract;
  readonly verbs: Readonly<Record<string, (ctx: Ctx, input: never, reply: Reply) => Promise<unknown>>>;
  readonly errors: ErrorTable;
  readonly jobs: readonly Job[];
  /** Routes whose verbs open their own units of work (one per chunk, say) instead of one per request. */
  readonly ownUnitOfWork: readonly string[];
  /** The senders of the feature's outbox messages, by kind. */
  readonly senders: Senders;
};

/** Sender factories by kind of message; undefined where the console has no such channel configured. */
export type Senders = Readonly<Record<string, (app: App) => Sender | undefined>>;

/** Declares a feature's server side. */
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

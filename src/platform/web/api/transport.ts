// Sends one request: base path, timeout, bearer token, language, and one shared attempt to renew an expired
// session.
import type { Language } from '#kernel/language.ts';
import { hourMs } from '#kernel/durations.ts';
import { connectionTextsOf, type ConnectionKey } from '#platform/locales/connection.ts';
import { ApiError } from './api-error.ts';
import { createBatcher } from './batch-calls.ts';

/** R-API-01 */
export const timeoutMs = 120_000;
/** The timeout for routes that may take many minutes. */
const longMs = hourMs;

/**
 * `lost`: no response, or a proxy without a backend. `recovering`: the console responds, but its database is
 * failing over or restarting, which takes seconds.
 */
export type Reach = 'reached' | 'lost' | 'recovering';

export type TransportOptions = {
  /** The origin of `/api`; '' for the page's origin. */
  readonly origin: string;
  readonly language: () => { readonly name: Language; readonly tag: string };
  readonly token: () => string | null;
  /** Requests a new token with the session cookie; resolves to null when the session has ended. */
  readonly renew: () => Promise<string | null>;
  /** Called once when the session turns out to have ended. */
  readonly onSignedOut: () => void;
  /** Asks the user for a recent proof of identity; resolves to false when they cancel. */
  readonly prove?: () => Promise<boolean>;
  /** Reports that a call awaits another Admin's approval; `approvalId` is the resulting request. */
  readonly onWaiting?: (approvalId: string) => void;
  readonly timeoutMs?: number;
  /** Called after every call with whether the API responded, and if not, what is known about it. */
  readonly onReach?: (reach: Reach) => void;
};

export type Request = {
  readonly method: string;
  /** The path below /api, with the query. */
  readonly path: string;
  readonly body?: BodyInit;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the body that has been sent, from 0 to 1. */
  readonly onSent?: ((ratio: number) => void) | undefined;
  /** The call may take many minutes. */
  readonly isLong?: true;
  /** The browser may cache the answer. */
  readonly isLasting?: true;
  /** A read that may be sent in a batch. */
  readonly isBatched?: true;
  /**
   * The answer changes the session cookie. The request must finish even if the user leaves the page:
   * otherwise the browser keeps the old cookie, which the server soon treats as stolen.
   */
  readonly outlivesPage?: true;
  /** Whether a 401 can mean an expired session (not for sign-in calls). */
  readonly needsSession: boolean;
};

export type Transport = {
  readonly prove: () => Promise<boolean>;
  /** Creates the error of a call that awaits another Admin's approval; notifies the user. */
  readonly waiting: (approvalId: string) => ApiError;
  readonly send: (request: Request) => Promise<Response>;
  /** Creates the error for a call without a response, in the current language. */
  readonly failure: (key: ConnectionKey, cause?: unknown, status?: number) => ApiError;
};

/** Creates the transport. All clients share one, so that they share the renewal. */
export function createTransport(options: TransportOptions): Transport {
  let renewal: Promise<string | null> | null = null;

  const failure = (key: ConnectionKey, cause?: unknown, status = 0) =>
    new ApiError({
      status,
      code: key,
      message: connectionTextsOf(options.language().name)[key],
      cause,
    });

  const sendBatched = createBatcher((path) =>
    sendSingly({ method: 'GET', path, needsSession: true }, options.token()),
  );

  const once = (request: Request, token: string | null): Promise<Response> =>
    request.isBatched
      ? unlessLeft(sendBatched(request.path), request.signal, (reason) =>
          failure('connection.aborted', reason),
        )
      : sendSingly(request, token);

  const sendSingly = async (request: Request, token: string | null): Promise<Response> => {
    const limit = AbortSignal.timeout(request.isLong ? longMs : (options.timeoutMs ?? timeoutMs));
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
    const headers: Record<string, string> = {
      Accept: 'application/json',
      'Accept-Language': options.language().tag,
      ...request.headers,
    };
    if (request.contentType) headers['Content-Type'] = request.contentType;
    if (token) headers.Authorization = `Bearer ${token}`;
    try {
      const url = `${options.origin}/api${request.path}`;
      const answer =
        request.onSent && request.body !== undefined
          ? await (
              await import('./send-with-progress.ts')
            ).sendWithProgress(url, {
              method: request.method,
              headers,
              body: request.body,
              signal,
              onSent: request.onSent,
            })
          : await fetch(url, {
              method: request.method,
              headers,
              signal,
              credentials: 'same-origin',
              cache: request.isLasting ? 'default' : 'no-store',
              body: request.body,
              keepalive: request.outlivesPage,
            });
      options.onReach?.(await reachOf(answer));
      return answer;
    } catch (problem) {
      if (request.signal?.aborted) throw failure('connection.aborted', problem);
      options.onReach?.('lost');
      throw failure(limit.aborted ? 'connection.timed_out' : 'connection.lost', problem);
    }
  };

  /** All calls that receive a 401 at the same time wait for the same renewal. */
  const renew = (): Promise<string | null> => {
    renewal ??= options.renew().finally(() => {
      renewal = null;
    });
    return renewal;
  };

  const send = async (request: Request): Promise<Response> => {
    const token = options.token();
    const answer = await once(request, token);
    if (answer.status !== 401 || !request.needsSession) return answer;
    const current = options.token();
    // The user has been signed out meanwhile: another call received its 401 first.
    if (current === null && token !== null) return answer;
    const fresh = current !== token && current !== null ? current : await renew();
    if (fresh === null) {
      if (options.token() === token) options.onSignedOut();
      return answer;
    }
    // The body of the 401 is read to its end, because an unread body keeps its connection busy.
    await answer.text().catch(() => '');
    const second = await once(request, fresh);
    if (second.status === 401 && options.token() === fresh) options.onSignedOut();
    return second;
  };

  const waiting = (approvalId: string): ApiError => {
    options.onWaiting?.(approvalId);
    return failure('connection.waiting', undefined, 202);
  };

  return { send, failure, waiting, prove: options.prove ?? (() => Promise.resolve(false)) };
}

/** What an answer tells about the API. Other rejections by a busy or starting console count as responses. */
async function reachOf(answer: Response): Promise<Reach> {
  if (answer.status === 502 || answer.status === 504) return 'lost';
  if (answer.status !== 503) return 'reached';
  // Without an envelope, it comes from a proxy.
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('isSuccess' in body)) return 'lost';
  return 'code' in body && body.code === 'platform.database_unavailable' ? 'recovering' : 'reached';
}

/**
 * Resolves to the answer, or rejects as soon as the caller aborts. The batch itself continues, because other
 * callers wait for it.
 */
async function unlessLeft(
  answer: Promise<Response>,
  signal: AbortSignal | undefined,
  left: (reason: unknown) => ApiError,
): Promise<Response> {
  if (!signal) return answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(left(signal.reason));
  signal.addEventListener('abort', leave);
  try {
    if (signal.aborted) leave();
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

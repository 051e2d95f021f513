// Calls of the pages before sign-in, without the schemas of the contract: a visitor is not given the library that reads them.
import type { Method } from '#kernel/contract.ts';
import { readAnswer } from './read-answer.ts';
import type { Transport } from './transport.ts';

/** What is needed of a contract's route to send it; a test holds each against its contract. */
export type PlainRoute = {
  readonly method: Method;
  readonly path: `/${string}`;
  /** Its answer changes the session cookie. */ readonly outlivesPage?: true;
};
type Plain = string | number | boolean | null | { readonly [name: string]: Plain };

/** Sends a call that needs nobody signed in and answers its data as it was sent. Throws `ApiError` and nothing else. */
export async function callPlainly(
  { method, path, outlivesPage }: PlainRoute,
  transport: Transport,
  body?: unknown,
): Promise<unknown> {
  const answer = await transport.send({
    method,
    path,
    needsSession: false,
    ...(outlivesPage && { outlivesPage }),
    ...(body !== undefined && { body: JSON.stringify(body), contentType: 'application/json' }),
  });
  return readAnswer(answer, transport);
}

/** The same, answering what looks like `sample`; an answer that does not is unreadable. */
export async function callFor<T extends Plain>(
  route: PlainRoute,
  transport: Transport,
  sample: T,
  body?: unknown,
): Promise<T> {
  const data = await callPlainly(route, transport, body);
  if (!looksLike(data, sample)) throw transport.failure('connection.unreadable');
  return data;
}

/** Whether `data` has each field of `sample`, and values of the same kinds there; null stands for a text or nothing. */
export function looksLike<T extends Plain>(data: unknown, sample: T): data is T {
  if (sample === null) return data === null || typeof data === 'string';
  if (typeof sample !== 'object') return typeof data === typeof sample;
  return isRecord(data) && Object.entries(sample).every(([name, value]) => looksLike(data[name], value));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

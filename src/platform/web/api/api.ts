// The typed client of a contract: `client.listBills(input)` sends and returns the types that the contract
// declares.
import * as z from 'zod/mini';
import {
  file,
  pathNames,
  type Contract,
  type FileAnswer,
  type In,
  type Out,
  type Route,
} from '#kernel/contract.ts';
import { ApiError } from './api-error.ts';
import { fileDownloaded } from './envelope.ts';
import { randomId } from './random-id.ts';
import { readAnswer } from './read-answer.ts';
import type { Request, Transport } from './transport.ts';
import { waitingIdOf } from './waiting.ts';

/** A downloaded file; {@link saveFile} offers it to the user. */
export type Download = {
  readonly blob: Blob;
  readonly fileName: string;
  readonly message: typeof fileDownloaded;
};

// The content security policy forbids eval, which compiled schemas would need.
z.config({ jitless: true });

export type CallOptions = {
  /** Aborts the call early, for example when the user leaves the screen. */
  readonly signal?: AbortSignal;
  /** Repeated attempts of one action pass the same key; without one, the client generates a key. */
  readonly idempotencyKey?: string;
  /** Reads a file's body, so that the caller can show progress; by default the body is read in one go. */
  readonly readFile?: (answer: Response) => Promise<Blob>;
  /** Called with the share of the body that has been sent, from 0 to 1. */
  readonly onSent?: (ratio: number) => void;
  /** The body of a route with `raw`. */
  readonly body?: Blob | ArrayBuffer | string;
};

export type Answer<R> = Out<R> extends FileAnswer ? Download : Out<R>;
/** The input is optional when none of its fields is required. */
type Arguments<R> =
  Record<never, never> extends In<R>
    ? [input?: In<R>, options?: CallOptions]
    : [input: In<R>, options?: CallOptions];
export type Client<C extends Contract> = {
  readonly [Name in keyof C]: (...args: Arguments<C[Name]>) => Promise<Answer<C[Name]>>;
};

/** Creates a client for a contract's table. Every call throws {@link ApiError} and nothing else. */
export function createClient<C extends Contract>(table: C, transport: Transport): Client<C> {
  const calls = Object.entries(table).map(([name, route]) => [
    name,
    (input: unknown = {}, options: CallOptions = {}) => call(route, input, options, transport),
  ]);
  // The loop above creates exactly one call for each key of the table, which the compiler cannot infer.
  return Object.fromEntries(calls) as Client<C>;
}

async function call(
  route: Route,
  input: unknown,
  options: CallOptions,
  transport: Transport,
): Promise<unknown> {
  const request = requestOf(route, input, options, transport);
  try {
    return await callOnce(route, request, transport, options);
  } catch (error) {
    // The server requires a recent proof of identity; after the user has provided it, the same call is
    // repeated.
    if (!(error instanceof ApiError) || error.code !== 'platform.fresh_sign_in' || !(await transport.prove()))
      throw error;
    return callOnce(route, request, transport, options);
  }
}

async function callOnce(
  route: Route,
  request: Request,
  transport: Transport,
  { readFile, signal }: CallOptions,
): Promise<unknown> {
  const answer = await transport.send(request);
  if (answer.ok && isFile(route)) return download(answer, transport, readFile, signal);
  const data = await readAnswer(answer, transport);
  const approvalId = waitingIdOf(answer.status, data);
  if (approvalId !== undefined) throw transport.waiting(approvalId);
  const decoded = z.safeDecode(route.output, data as never);
  if (!decoded.success) throw transport.failure('connection.unreadable', decoded.error, answer.status);
  return decoded.data;
}

const isFile = (route: Route): boolean => route.output === file;

/**
 * Builds the request for a route's input. Throws {@link ApiError} 'connection.invalid' when the input does
 * not match the contract.
 */
export function requestOf(
  route: Route,
  input: unknown,
  options: CallOptions,
  transport: Pick<Transport, 'failure'>,
): Request {
  const encoded = z.safeEncode(route.input, input as Record<string, unknown>);
  if (!encoded.success) {
    const problem = transport.failure('connection.invalid', encoded.error);
    const errors = encoded.error.issues.map((issue) => ({
      field: issue.path.join('.'),
      code: issue.code ?? 'custom',
      message: issue.message,
    }));
    throw new ApiError({
      status: 0,
      code: problem.code,
      message: problem.message,
      errors,
      cause: encoded.error,
    });
  }
  const rest: Record<string, unknown> = { ...encoded.data };
  let path = '';
  for (const part of route.path.split('/').slice(1))
    path += `/${part.startsWith(':') ? encodeURIComponent(String(rest[part.slice(1)])) : part}`;
  for (const name of pathNames(route.path)) delete rest[name];

  const inQuery = route.method === 'GET' || route.method === 'DELETE' || route.raw !== undefined;
  const query = new URLSearchParams();
  if (inQuery) for (const [name, value] of Object.entries(rest)) appendTo(query, name, value);
  const search = query.size > 0 ? `?${query.toString()}` : '';
  const hasBody = !inQuery;
  return {
    method: route.method,
    path: path + search,
    needsSession: route.access !== 'public' && route.access !== 'cookie',
    signal: options.signal,
    ...(route.long && { isLong: true }),
    ...(route.lasting && { isLasting: true }),
    ...(route.isBatchable && { isBatched: true }),
    ...(route.access === 'cookie' && { outlivesPage: true }),
    ...(hasBody && { body: JSON.stringify(rest), contentType: 'application/json' }),
    ...(route.raw &&
      options.body !== undefined && {
        body: options.body,
        contentType: route.raw.types[0] ?? 'application/octet-stream',
        onSent: options.onSent,
      }),
    ...(route.idempotent && {
      headers: { 'Idempotency-Key': options.idempotencyKey ?? randomId() },
    }),
  };
}

function appendTo(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
}

async function download(
  answer: Response,
  transport: Transport,
  readFile?: CallOptions['readFile'],
  signal?: AbortSignal,
): Promise<Download> {
  try {
    return {
      blob: await (readFile?.(answer) ?? answer.blob()),
      fileName: fileNameOf(answer.headers.get('content-disposition')),
      message: fileDownloaded,
    };
  } catch (problem) {
    throw transport.failure(
      signal?.aborted ? 'connection.aborted' : 'connection.lost',
      problem,
      answer.status,
    );
  }
}

/** The file name of a Content-Disposition header (RFC 6266), 'download' when it has none. */
export function fileNameOf(disposition: string | null): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  try {
    if (extended) return decodeURIComponent(extended.trim());
  } catch {
    // Malformed escapes: fall through to the plain name.
  }
  return plain?.trim() || 'download';
}

/** Saves a downloaded file through the browser. */
export function saveFile({ blob, fileName }: Download): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

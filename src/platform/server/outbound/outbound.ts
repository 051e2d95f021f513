// Requests to other servers, with time and size limits and without redirects.
import { areCallsClosed } from './closed-calls.ts';
import { isSafeAddress } from '../config.ts';
import { postPinned } from './outbound-pinned.ts';

/** No response, or an unacceptable one. The message names the host and the reason, never the content of the request. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
  /** The status of a response that was not 200; 0 when there was none. */
  readonly status: number;

  constructor(address: string, reason: string, status = 0) {
    super(`${new URL(address).host}: ${reason}`);
    this.status = status;
  }
}

/**
 * An address that an Admin entered is on this machine or in a private network, and its host is not listed as
 * allowed.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

export type RequestInput = {
  readonly method?: 'GET' | 'POST';
  readonly bearer?: string;
  /** User name and password. */
  readonly basic?: readonly [string, string];
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Time limit in milliseconds; five seconds by default. */
  readonly longestMs?: number;
};

const longestMs = 5000;
const maxBytes = 256 * 1024;

/**
 * Fetches a JSON object. Any status but 200 is an error, including redirects. Throws {@link OutboundFailure}.
 * Never call it inside a unit of work.
 */
export async function fetchJson(
  address: string,
  input: RequestInput = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { answer, text } = await exchange(address, input);
  if (answer.status !== 200) throw new OutboundFailure(address, `answered ${answer.status}`, answer.status);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw new OutboundFailure(address, 'answered something that is no JSON object');
}

/** Posts a form and parses the response as a form (`a=1&b=2`). Throws as {@link fetchJson} does. */
export async function fetchForm(
  address: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { answer, text } = await exchange(address, { method: 'POST', form });
  if (answer.status !== 200) throw new OutboundFailure(address, `answered ${answer.status}`, answer.status);
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * Posts and returns the response, whatever its status; only a missing response is an error. An address from
 * the environment is used as it is. One that an Admin entered must be public, or its host among
 * `privateHosts`: an Admin must not reach what only this machine can reach. Throws {@link OutboundFailure},
 * and {@link AddressRefused} before anything is sent. Never call it inside a unit of work.
 */
export async function postAnswer(
  address: string,
  input: Omit<RequestInput, 'method'>,
  from: 'environment' | { readonly privateHosts: readonly string[] },
): Promise<{ readonly status: number; readonly text: string }> {
  if (from === 'environment') {
    const { answer, text } = await exchange(address, { ...input, method: 'POST' });
    return { status: answer.status, text };
  }
  const { headers, body } = requestOf(input);
  const outcome = await postPinned(address, {
    headers,
    body: body ?? '',
    loopback: false,
    privateHosts: from.privateHosts,
    storedBytes: maxBytes,
    longestMs,
  });
  if (outcome.failure === 'address_refused' || outcome.failure === 'not_public')
    throw new AddressRefused(outcome.failure);
  if (outcome.status === null || outcome.failure !== null)
    throw new OutboundFailure(address, outcome.failure ?? 'no answer');
  return { status: outcome.status, text: outcome.answer };
}

type Request = { readonly headers: Record<string, string>; readonly body: string | undefined };

function requestOf(input: RequestInput): Request {
  const form = input.form && new URLSearchParams(input.form).toString();
  return {
    headers: {
      accept: 'application/json',
      ...(input.bearer === undefined ? {} : { authorization: `Bearer ${input.bearer}` }),
      ...(input.basic === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(input.basic.join(':')).toString('base64')}` }),
      ...(input.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
    },
    body: form ?? (input.json === undefined ? undefined : JSON.stringify(input.json)),
  };
}

async function exchange(address: string, input: RequestInput): Promise<{ answer: Response; text: string }> {
  if (!isSafeAddress(address))
    throw new OutboundFailure('http://invalid', 'the address is neither https nor on this machine');
  if (areCallsClosed()) throw new OutboundFailure(address, 'is not called from a sandbox');
  try {
    const { headers, body } = requestOf(input);
    const answer = await fetch(address, {
      method: input.method ?? 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(input.longestMs ?? longestMs),
      headers,
      body,
    });
    return { answer, text: await textOf(address, answer) };
  } catch (error) {
    if (error instanceof OutboundFailure) throw error;
    throw new OutboundFailure(address, error instanceof Error ? error.name : 'failed');
  }
}

async function textOf(address: string, answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new OutboundFailure(address, 'answered too much');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

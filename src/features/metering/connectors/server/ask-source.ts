// Sends requests to a source: credentials, limits, and failures that an Admin can act on.
import { hasLongNumber, parseExactly } from '#kernel/exact-json.ts';
import {
  PinnedRequestFailed,
  reportedFailures,
  requestPinned,
} from '#platform/server/outbound/outbound-pinned.ts';
import type { Credentials } from '../contract-sources.ts';
import { SourceFailure, type SourceSettings } from './source.ts';

const maxBytes = 16 * 1024 * 1024;

export type SourceAnswer = {
  readonly status: number;
  readonly value: unknown;
  /**
   * The address of the next page from the Link header (RFC 8288), whatever its host: behind a proxy it may
   * name an internal host of the cloud.
   */
  readonly nextLink: string | undefined;
  /** The X-Subject-Token header, in which Keystone returns a token. */
  readonly subjectToken: string | undefined;
};
export type SourceQuestion = {
  /** The body to POST: form fields or JSON. If neither is set, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses other than 200, 400 and 422 that are valid responses. */
  readonly accepts?: readonly number[];
};

const headersOf = (credentials: Credentials): Record<string, string> => {
  if (credentials.kind === 'bearer') return { authorization: `Bearer ${credentials.token}` };
  if (credentials.kind === 'header') return { [credentials.name.toLowerCase()]: credentials.value };
  if (credentials.kind === 'proxmox_token')
    return { authorization: `PVEAPIToken=${credentials.tokenId}=${credentials.secret}` };
  // Keystone reads credentials from the request body.
  if (credentials.kind !== 'basic') return {};
  const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

/**
 * Returns the JSON at an address. Also returns responses with status 400 and 422, which say what is wrong
 * with the request.
 * @throws SourceFailure for any other status than 200
 */
export async function askSource(
  address: string,
  {
    credentials,
    privateHosts,
    timeoutMs,
    windowEnd,
  }: Pick<SourceSettings, 'credentials' | 'privateHosts' | 'timeoutMs' | 'windowEnd'>,
  signal: AbortSignal,
  { form, json, headers: own = {}, accepts = [] }: SourceQuestion = {},
): Promise<SourceAnswer> {
  const body = form
    ? new URLSearchParams(form).toString()
    : json === undefined
      ? undefined
      : JSON.stringify(json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const { status, headers, text } = await requestPinned(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': type }),
      ...headersOf(credentials),
      ...own,
    },
    ...(body !== undefined && { body }),
    privateHosts,
    maxBytes,
    longestMs: timeoutMs,
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof PinnedRequestFailed)) throw error;
    throw new SourceFailure(reportedFailures[error.failure], error.detail);
  });
  if (status === 401 || status === 403) throw new SourceFailure('refused_credentials', String(status));
  if (status === 429 || status === 503)
    throw new SourceFailure('busy', String(status), secondsOf(headers['retry-after']));
  if (windowEnd) assertOverThere(headers, windowEnd);
  if (![200, 400, 422, ...accepts].includes(status)) throw new SourceFailure('status', String(status));
  const token = headers['x-subject-token'];
  return {
    status,
    value: jsonOf(text, status),
    nextLink: nextLink(headers['link'], address),
    subjectToken: Array.isArray(token) ? token[0] : token,
  };
}

/**
 * A window that has not ended by the source's own clock would miss samples that are never read later. The
 * clock is in the Date header; a cached response is older by its Age (RFC 9110, RFC 9111).
 */
function assertOverThere(
  { date, age }: { readonly [name: string]: string | string[] | undefined },
  windowEnd: Date,
): void {
  const sentMs = Date.parse(String(date)) + (secondsOf(String(age)) ?? 0) * 1000;
  const behind = Math.ceil((windowEnd.getTime() - sentMs) / 1000);
  if (behind > 0) throw new SourceFailure('clock_behind', String(behind), behind);
}

/** Numbers with more digits than a double can represent stay texts, so that no digit is lost. */
function jsonOf(text: string, status: number): unknown {
  try {
    return hasLongNumber(text) ? parseExactly(text) : (JSON.parse(text) as unknown);
  } catch {
    // A web page for people, not a response of the requested service.
    if (status === 404) throw new SourceFailure('status', String(status));
    throw new SourceFailure('bad_answer', [...text.trim()].slice(0, 100).join(''));
  }
}

/** Parses the seconds of a Retry-After header; dates are ignored. */
function secondsOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number.parseInt(header, 10) : null;
}

function nextLink(header: string | string[] | undefined, address: string): string | undefined {
  const link = Array.isArray(header) ? header.join(',') : (header ?? '');
  const target = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/i.exec(link)?.[1];
  if (target === undefined || !URL.canParse(target, address)) return undefined;
  return new URL(target, address).href;
}

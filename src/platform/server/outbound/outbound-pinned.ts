// Sends requests to addresses that customers enter. The address is verified and resolved once, and the
// connection goes to exactly the verified IP address (reliability.md 2.H-127 to 131).
import { lookup as lookUp, Resolver } from 'node:dns/promises';
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { areCallsClosed } from './closed-calls.ts';
import { codeOf, isCertificateCode } from '../system-error.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** What can be wrong with an address before anything is sent. */
export const targetIssues = ['malformed', 'not_https', 'credentials', 'port', 'host', 'not_public'] as const;
export type TargetIssue = (typeof targetIssues)[number];
/** Why there was no response, or only a part of one. */
export const pinnedFailures = [
  'address_refused',
  'name_unknown',
  'not_public',
  'connection',
  'certificate',
  'timeout',
  'too_large',
] as const;
export type PinnedFailure = (typeof pinnedFailures)[number];
/** The code under which sources, event streams and destinations report each failure. */
export const reportedFailures = {
  address_refused: 'address',
  not_public: 'address',
  name_unknown: 'unreachable',
  connection: 'unreachable',
  certificate: 'certificate',
  timeout: 'timeout',
  too_large: 'too_large',
} as const satisfies Readonly<Record<PinnedFailure, string>>;

/**
 * The result of one attempt. `status` is null when no response began; `answer` is its beginning; `ms` is the
 * total time.
 */
export type PinnedOutcome = {
  readonly status: number | null;
  readonly failure: PinnedFailure | null;
  readonly detail: string;
  readonly answer: string;
  readonly ms: number;
};

/** All addresses of a host name; empty when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export type PinnedOptions = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Also accepts http and this machine, for development and tests. */
  readonly loopback: boolean;
  /**
   * Hosts, optionally with a port, that the operator allows although they are not public: `sms.internal`,
   * `10.0.0.5:8443`, `[::1]`.
   */
  readonly privateHosts?: readonly string[];
  /** How many bytes of the response are kept; one kilobyte by default. */
  readonly storedBytes?: number;
  readonly resolve?: Resolve;
  /** Certificate authorities to trust instead of the default ones (PEM). */
  readonly ca?: string;
  /** Time limit in milliseconds for name resolution, connection and response. */
  readonly longestMs?: number;
};

const usualLongestMs = 10_000;
const maxBytes = 1024 * 1024;
const defaultStoredBytes = 1024;
const maxAddresses = 16;
// Names that never belong to a host on the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal).
const ownNames = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid|test)$/;

/**
 * What is wrong with the text of an address; undefined when nothing is. Unusual IPv4 notations are parsed as
 * browsers parse them. `isPlainAllowed` also accepts http for listed hosts: inside an operator's own network,
 * most monitoring supports nothing else.
 */
export function targetIssue(
  address: string,
  loopback: boolean,
  privateHosts: readonly string[] = [],
  { isPlainAllowed = false }: { isPlainAllowed?: boolean } = {},
): TargetIssue | undefined {
  if (!URL.canParse(address)) return 'malformed';
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.hash !== '') return 'malformed';
  const host = hostOf(url);
  const isHere = host === 'localhost' || isLoopbackAddress(host);
  if (loopback && isHere) return /^https?:$/.test(url.protocol) ? undefined : 'not_https';
  if (isListed(url, privateHosts))
    return url.protocol === 'https:' || (url.protocol === 'http:' && (isHere || isPlainAllowed))
      ? undefined
      : 'not_https';
  if (url.protocol !== 'https:') return 'not_https';
  // Ports below 1024 other than 443 belong to mail, databases and remote shells.
  if (url.port !== '' && Number(url.port) < 1024) return 'port';
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'not_public';
  return host.endsWith('.') || !host.includes('.') || ownNames.test(host) ? 'host' : undefined;
}

/** Whether the operator allows a host although it is not public. */
const isListed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.includes(url.hostname) || hosts.includes(url.host);

/** The host in the form that sockets take: IPv6 addresses without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Queries DNS only, never the machine's hosts file, and without blocking a thread of the libuv pool. */
const resolveByDns: Resolve = async (host, signal) => {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

/** Why a request got no complete response. */
export class PinnedRequestFailed extends Error {
  override readonly name = 'PinnedRequestFailed';
  readonly failure: PinnedFailure;
  /** The details: an issue of the address, an error code of the socket, or the phase that timed out. */
  readonly detail: string;
  /** The status of a response that had begun; null when none had. */
  readonly status: number | null;

  constructor(failure: PinnedFailure, detail: string, status: number | null = null) {
    super(`${failure}: ${detail}`);
    this.failure = failure;
    this.detail = detail;
    this.status = status;
  }
}

/**
 * Posts a body and returns the outcome; never rejects. Redirects are not followed and no proxy is used. Every
 * address of the name must be public, and the name is not resolved again after the check, so that its DNS
 * record cannot be changed in between. Never call it inside a unit of work.
 */
export async function postPinned(address: string, options: PinnedOptions): Promise<PinnedOutcome> {
  const started = performance.now();
  const signal = AbortSignal.timeout(options.longestMs ?? usualLongestMs);
  const ms = (): number => Math.round(performance.now() - started);
  try {
    const { url, addresses } = await targetOf(address, options, signal);
    const response = await send(url, addresses, options, signal);
    return {
      status: response.statusCode ?? null,
      failure: null,
      detail: '',
      answer: await beginningOf(response, options.storedBytes ?? defaultStoredBytes, signal),
      ms: ms(),
    };
  } catch (error) {
    const { failure, detail, status } = failedBy(error, signal);
    return { status, failure, detail, answer: '', ms: ms() };
  }
}

export type PinnedRequest = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly privateHosts: readonly string[];
  /** The maximum size of the response in bytes. */
  readonly maxBytes: number;
  /** Time limit in milliseconds for the whole exchange. */
  readonly longestMs: number;
  readonly signal: AbortSignal;
};

/**
 * Sends a request to a server that an Admin entered and returns the response, whatever its status. The same
 * checks as {@link postPinned}, except that http is accepted for hosts that the operator listed. Never call
 * it inside a unit of work.
 * @throws PinnedRequestFailed when there is no complete response
 */
export async function requestPinned(
  address: string,
  request: PinnedRequest,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> {
  const { privateHosts, maxBytes: most, longestMs } = request;
  const signal = AbortSignal.any([AbortSignal.timeout(longestMs), request.signal]);
  try {
    const { url, addresses } = await targetOf(address, namedByAdmin(privateHosts), signal);
    const { headers, body = '', method } = request;
    const response = await send(url, addresses, { headers, body }, signal, method);
    const text = await beginningOf(response, most, signal, most);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    throw failedBy(error, signal);
  }
}

/**
 * A lookup function for client libraries with the same checks: every address must be public, or the host
 * listed by the operator. Connections go to the checked addresses. Hosts that are IP addresses are never
 * looked up; check them with {@link targetIssue}. Errors are {@link PinnedRequestFailed}.
 */
export function pinnedLookup(privateHosts: readonly string[]): LookupFunction {
  // An agent passes hosts without their port; the port was compared when the address was checked.
  const hosts = new Set(privateHosts.map((listed) => listed.replace(/:\d+$/, '')));
  return (host, options, found) => {
    const signal = AbortSignal.timeout(usualLongestMs);
    const addresses = hosts.has(host)
      ? listedAddresses(host, signal)
      : checkedAddresses(host, { loopback: false }, signal);
    void addresses.then(
      (all) => lookupOf(all)(host, options, found),
      (error: unknown) => found(failedBy(error, signal), '', 0),
    );
  };
}

/**
 * The IP addresses that a client of a protocol other than HTTP may connect to for an address: `https:` stands
 * for TLS, and `http:` for plain connections, which are allowed only for hosts that the operator listed.
 * Connect to these and not to the name.
 * @throws PinnedRequestFailed
 */
export async function pinnedAddresses(
  address: string,
  privateHosts: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return (await targetOf(address, namedByAdmin(privateHosts), signal)).addresses;
  } catch (error) {
    throw failedBy(error, signal);
  }
}

/** Which targets are allowed. */
type Access = Pick<PinnedOptions, 'loopback' | 'privateHosts' | 'resolve'> & {
  /** Accepts http for listed hosts. */
  readonly isPlainAllowed?: boolean;
};
const namedByAdmin = (privateHosts: readonly string[]): Access => ({
  loopback: false,
  privateHosts,
  isPlainAllowed: true,
});

/** The parsed address, and the IP addresses to connect to. @throws PinnedRequestFailed */
async function targetOf(
  address: string,
  access: Access,
  signal: AbortSignal,
): Promise<{ readonly url: URL; readonly addresses: readonly string[] }> {
  const { loopback, privateHosts = [], isPlainAllowed = false } = access;
  const issue = targetIssue(address, loopback, privateHosts, { isPlainAllowed });
  if (issue) throw new PinnedRequestFailed('address_refused', issue);
  const url = new URL(address);
  const addresses = isListed(url, privateHosts)
    ? await listedAddresses(hostOf(url), signal)
    : await checkedAddresses(hostOf(url), access, signal);
  return { url, addresses };
}

/** A lookup function that returns these addresses for any name. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, found) => {
    const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) found(null, pinned);
    else found(null, pinned[0]?.address ?? '', pinned[0]?.family);
  };

async function checkedAddresses(
  host: string,
  { loopback, resolve = resolveByDns }: Pick<PinnedOptions, 'loopback' | 'resolve'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (areCallsClosed()) throw new PinnedRequestFailed('address_refused', 'sandbox');
  const found = isIP(host) === 0 ? await untilAborted(resolve(host, signal), signal) : [host];
  if (found.length === 0) throw new PinnedRequestFailed('name_unknown', host);
  const refused = found.find((one) => !(isPublicAddress(one) || (loopback && isLoopbackAddress(one))));
  if (refused !== undefined) throw new PinnedRequestFailed('not_public', refused);
  return found.slice(0, maxAddresses);
}

/** A host that the operator allows may exist in the machine's hosts file only. */
async function listedAddresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (areCallsClosed()) throw new PinnedRequestFailed('address_refused', 'sandbox');
  const found = await untilAborted(lookUp(host, { all: true }), signal).catch((error: unknown) => {
    throw error instanceof PinnedRequestFailed ? error : new PinnedRequestFailed('name_unknown', host);
  });
  return found.map(({ address }) => address).slice(0, maxAddresses);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new PinnedRequestFailed('timeout', 'name')), {
      once: true,
    });
  });
  return Promise.race([work, aborted]);
}

/** Sends the request and resolves when the headers of the response have arrived. */
async function send(
  url: URL,
  addresses: readonly string[],
  { headers, body, ca }: Pick<PinnedOptions, 'headers' | 'body' | 'ca'>,
  signal: AbortSignal,
  method: 'GET' | 'POST' = 'POST',
): Promise<IncomingMessage> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const common: RequestOptions = {
    method,
    host: hostOf(url),
    port: url.port === '' ? undefined : url.port,
    path: url.pathname + url.search,
    lookup: lookupOf(addresses),
    signal,
    headers: {
      ...headers,
      host: url.host,
      ...(method === 'POST' && { 'content-length': bytes.length }),
      'accept-encoding': 'identity',
      connection: 'close',
    },
  };
  return new Promise((resolve, reject) => {
    // A new agent, so that no connection is shared and no environment variable adds a proxy.
    const request =
      url.protocol === 'https:'
        ? httpsRequest({
            ...common,
            agent: new Agent({ keepAlive: false }),
            ca,
          })
        : httpRequest({ ...common, agent: false });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(method === 'POST' ? bytes : undefined);
  });
}

/**
 * The beginning of a response, `most` bytes at most. The response is read in full, up to a megabyte and the
 * time limit.
 */
async function beginningOf(
  response: IncomingMessage,
  storedBytes: number,
  signal: AbortSignal,
  most = maxBytes,
): Promise<string> {
  const status = response.statusCode ?? null;
  const parts: Buffer[] = [];
  let [count, storedCount] = [0, 0];
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      count += part.length;
      if (count > most) throw new PinnedRequestFailed('too_large', `more than ${most} bytes`, status);
      if (storedCount < storedBytes) parts.push(part.subarray(0, storedBytes - storedCount));
      storedCount += part.length;
    }
  } catch (error) {
    if (error instanceof PinnedRequestFailed) throw error;
    throw signal.aborted
      ? new PinnedRequestFailed('timeout', 'answer', status)
      : new PinnedRequestFailed('connection', labelOf(error), status);
  } finally {
    response.destroy();
  }
  // A truncated character is dropped, and PostgreSQL cannot store zero bytes.
  return new StringDecoder('utf8').write(Buffer.concat(parts)).replaceAll('\0', '');
}

function failedBy(error: unknown, signal: AbortSignal): PinnedRequestFailed {
  if (error instanceof PinnedRequestFailed) return error;
  if (signal.aborted) return new PinnedRequestFailed('timeout', 'connection');
  const label = labelOf(error);
  return new PinnedRequestFailed(isCertificateCode(label) ? 'certificate' : 'connection', label);
}

/** The code or name of an error, or of the first one when several addresses failed. */
function labelOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return labelOf(error.errors[0]);
  return codeOf(error) ?? (error instanceof Error ? error.name : 'failed');
}

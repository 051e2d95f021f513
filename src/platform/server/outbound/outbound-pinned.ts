// Sends to addresses that strangers give us: checked, resolved once, connected to exactly what was checked (reliability.md 2.H-127 to 131).
import { lookup as lookUp, Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** What is wrong with an address before anything is sent. */
export const targetFaults = ['malformed', 'not_https', 'credentials', 'port', 'host', 'not_public'] as const;
export type TargetFault = (typeof targetFaults)[number];
/** Why nothing, or no whole answer, came back. */
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

/** What became of one attempt. `status` is null when no answer began; `answer` is the beginning of it, `ms` how long all took. */
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
  /** Takes http and this machine too, for developing and tests. */
  readonly loopback: boolean;
  /** Hosts, perhaps with ports, that the operator allows wherever they are: `sms.internal`, `10.0.0.5:8443`, `[::1]`. */
  readonly privateHosts?: readonly string[];
  /** How much of the answer is kept; a kilobyte when left out. */
  readonly keptBytes?: number;
  readonly resolve?: Resolve;
  /** Certificates that are believed instead of the well-known ones (PEM). */
  readonly ca?: string;
  /** Milliseconds for all of it: name, connection, answer. */
  readonly longestMs?: number;
};

const usualLongestMs = 10_000;
const mostBytes = 1024 * 1024;
const usualKeptBytes = 1024;
const mostAddresses = 16;
// Names that never mean a machine of the internet (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal).
const ownNames = /(^|\.)(localhost|local|internal|home\.arpa|onion|invalid|test)$/;

/** What is wrong with an address, as far as it can be seen without asking anybody; undefined when nothing is. Odd notations of IPv4 are read as browsers do. */
export function targetFault(
  address: string,
  loopback: boolean,
  privateHosts: readonly string[] = [],
): TargetFault | undefined {
  if (!URL.canParse(address)) return 'malformed';
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.hash !== '') return 'malformed';
  const host = hostOf(url);
  const isHere = host === 'localhost' || isLoopbackAddress(host);
  if (loopback && isHere) return /^https?:$/.test(url.protocol) ? undefined : 'not_https';
  if (isListed(url, privateHosts))
    return url.protocol === 'https:' || (url.protocol === 'http:' && isHere) ? undefined : 'not_https';
  if (url.protocol !== 'https:') return 'not_https';
  // Below 1024 live mail, databases and remote shells, but for 443.
  if (url.port !== '' && Number(url.port) < 1024) return 'port';
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'not_public';
  return host.endsWith('.') || !host.includes('.') || ownNames.test(host) ? 'host' : undefined;
}

/** Whether the operator allows a host, wherever it is. */
const isListed = (url: URL, hosts: readonly string[]): boolean =>
  hosts.includes(url.hostname) || hosts.includes(url.host);

/** The host as sockets want it: an IPv6 address without its brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Asks DNS alone, never the machine's own table of hosts, and holds up no thread of ours. */
const resolveByDns: Resolve = async (host, signal) => {
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

class Failed extends Error {
  readonly failure: PinnedFailure;
  readonly status: number | null;

  constructor(failure: PinnedFailure, detail: string, status: number | null = null) {
    super(detail);
    this.failure = failure;
    this.status = status;
  }
}

/**
 * Posts a body and answers what became of it; never throws. Redirects are not followed, no proxy is used, and every address of the name must
 * be public: one that changes after it was checked is never asked for again. Never call it inside a unit of work.
 */
export async function postPinned(address: string, options: PinnedOptions): Promise<PinnedOutcome> {
  const started = performance.now();
  const signal = AbortSignal.timeout(options.longestMs ?? usualLongestMs);
  const ms = (): number => Math.round(performance.now() - started);
  try {
    const fault = targetFault(address, options.loopback, options.privateHosts);
    if (fault) throw new Failed('address_refused', fault);
    const url = new URL(address);
    const addresses = isListed(url, options.privateHosts ?? [])
      ? await listedAddresses(hostOf(url), signal)
      : await checkedAddresses(hostOf(url), options, signal);
    const response = await send(url, addresses, options, signal);
    return {
      status: response.statusCode ?? null,
      failure: null,
      detail: '',
      answer: await beginningOf(response, options.keptBytes ?? usualKeptBytes, signal),
      ms: ms(),
    };
  } catch (error) {
    const { failure, message, status } = failedBy(error, signal);
    return { status, failure, detail: message, answer: '', ms: ms() };
  }
}

async function checkedAddresses(
  host: string,
  { loopback, resolve = resolveByDns }: PinnedOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = isIP(host) === 0 ? await untilAborted(resolve(host, signal), signal) : [host];
  if (found.length === 0) throw new Failed('name_unknown', host);
  const refused = found.find((one) => !(isPublicAddress(one) || (loopback && isLoopbackAddress(one))));
  if (refused !== undefined) throw new Failed('not_public', refused);
  return found.slice(0, mostAddresses);
}

/** A host that the operator allows may stand in the machine's own table of hosts only. */
async function listedAddresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = await untilAborted(lookUp(host, { all: true }), signal).catch((error: unknown) => {
    throw error instanceof Failed ? error : new Failed('name_unknown', host);
  });
  return found.map(({ address }) => address).slice(0, mostAddresses);
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Failed('timeout', 'name')), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Sends and answers when the head of the answer is there. */
async function send(
  url: URL,
  addresses: readonly string[],
  { headers, body, ca }: PinnedOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const pinned = addresses.map((one) => ({ address: one, family: isIP(one) }));
  // Whatever is asked, the answer is what was checked.
  const lookup: LookupFunction = (_host, asked, found) =>
    asked.all ? found(null, pinned) : found(null, pinned[0]?.address ?? '', pinned[0]?.family);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const common: RequestOptions = {
    method: 'POST',
    host: hostOf(url),
    port: url.port === '' ? undefined : url.port,
    path: url.pathname + url.search,
    lookup,
    signal,
    headers: {
      ...headers,
      host: url.host,
      'content-length': bytes.length,
      'accept-encoding': 'identity',
      connection: 'close',
    },
  };
  return new Promise((resolve, reject) => {
    // An agent of its own: no connection is shared, and no setting of the environment adds a proxy.
    const asked =
      url.protocol === 'https:'
        ? httpsRequest({
            ...common,
            agent: new Agent({ keepAlive: false }),
            ...(ca === undefined ? {} : { ca }),
          })
        : httpRequest({ ...common, agent: false });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end(bytes);
  });
}

/** The beginning of an answer, once all of it has come: more than a megabyte or a late end is cut off. */
async function beginningOf(
  response: IncomingMessage,
  keptBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const status = response.statusCode ?? null;
  const kept: Buffer[] = [];
  let [count, keptCount] = [0, 0];
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      count += part.length;
      if (count > mostBytes) throw new Failed('too_large', `more than ${mostBytes} bytes`, status);
      if (keptCount < keptBytes) kept.push(part.subarray(0, keptBytes - keptCount));
      keptCount += part.length;
    }
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw signal.aborted
      ? new Failed('timeout', 'answer', status)
      : new Failed('connection', codeOf(error), status);
  } finally {
    response.destroy();
  }
  // A letter that the cut went through is left out; a database takes no zero bytes.
  return new StringDecoder('utf8').write(Buffer.concat(kept)).replaceAll('\0', '');
}

function failedBy(error: unknown, signal: AbortSignal): Failed {
  if (error instanceof Failed) return error;
  if (signal.aborted) return new Failed('timeout', 'connection');
  const code = codeOf(error);
  const isCertificate =
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(
      code,
    );
  return new Failed(isCertificate ? 'certificate' : 'connection', code);
}

/** The code of an error, or of the first of several that came of several addresses. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

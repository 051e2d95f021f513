// Connections to brokers, subject to the rules for outgoing requests: names are resolved and checked here,
// and clients get the IP address.
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { required } from '#kernel/assert.ts';
import { asError } from '#kernel/errors.ts';
import {
  PinnedRequestFailed,
  pinnedAddresses,
  reportedFailures,
} from '#platform/server/outbound/outbound-pinned.ts';
import { codeOf, isCertificateCode } from '#platform/server/system-error.ts';
import type { FailureCode } from '../contract.ts';
import { webAddressOf, type Address } from '../rules.ts';
import { connectMs, StreamFailure, type ReaderSettings } from './reader.ts';

const failureCodes = { ...reportedFailures, too_large: 'broker' } as const;

/** Returns the IP address of a server if connecting to it is allowed. @throws StreamFailure */
export async function addressOf(
  { app, signal }: Pick<ReaderSettings, 'app' | 'signal'>,
  server: Address,
): Promise<string> {
  try {
    const found = await pinnedAddresses(
      webAddressOf(server),
      app.config.privateHosts,
      AbortSignal.any([signal, AbortSignal.timeout(connectMs)]),
    );
    return required(found[0], 'an address of the host');
  } catch (error) {
    if (!(error instanceof PinnedRequestFailed)) throw error;
    throw new StreamFailure(failureCodes[error.failure], `${server.host}: ${error.detail}`);
  }
}

/** Returns the server to try on this turn. */
export const serverOf = ({ addresses, turn }: Pick<ReaderSettings, 'addresses' | 'turn'>): Address =>
  required(addresses[turn % addresses.length], 'an address');

/** TLS options: the trusted authorities, and the console's own certificate. */
export function tlsOptions({ authority, credentials }: Pick<ReaderSettings, 'authority' | 'credentials'>) {
  return {
    ...(authority !== '' && { ca: authority }),
    ...(credentials.kind === 'certificate' && { cert: credentials.certificate, key: credentials.key }),
  };
}

/**
 * The name expected in a server's certificate. Only names are sent as SNI: RFC 6066 does not allow addresses.
 */
export const expectedName = ({ host }: Address): { servername: string } | { host: string } =>
  isIP(host) === 0 ? { servername: host } : { host };

/** Resolves names, with the same checks, for a client that opens its own connection. */
export function checkedLookup(settings: Pick<ReaderSettings, 'app' | 'signal'>): LookupFunction {
  return (host, options, found) => {
    // The port was checked with the address it came from.
    addressOf(settings, { host, port: 9093, isTls: true }).then(
      (address) =>
        options.all ? found(null, [{ address, family: isIP(address) }]) : found(null, address, isIP(address)),
      (error: unknown) => found(error instanceof Error ? error : new Error('lookup'), '', 4),
    );
  };
}

/** Maps a client's error to a failure by socket and TLS error codes; all others become `otherwise`. */
export function failureOf(error: unknown, otherwise: FailureCode = 'broker'): StreamFailure {
  if (error instanceof StreamFailure) return error;
  const found = errorsIn(error).flatMap((each) => codeOf(each) ?? []);
  const detail = asError(error).message;
  const socket =
    found.find((code) => /^(ECONN|EHOST|ENET|EPIPE|ENOTFOUND|EAI_)/.test(code)) ??
    (found.includes('PLT_KFK_NETWORK') ? detail : undefined);
  const certificate = found.find(isCertificateCode);
  if (certificate !== undefined) return new StreamFailure('certificate', certificate);
  if (socket !== undefined) return new StreamFailure('unreachable', socket);
  if (found.some((code) => /^(ETIMEDOUT|TIMEOUT|PLT_KFK_TIMEOUT)$/.test(code)))
    return new StreamFailure('timeout', detail);
  return new StreamFailure(otherwise, detail);
}

/** Lists the errors of an aggregate and all causes, to find one that explains the failure. */
export function errorsIn(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const within: readonly unknown[] = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  return [error, ...within.flatMap((each) => errorsIn(each, depth + 1))];
}

// Credentials of brokers: sealed with the installation's key, opened only for connecting.
import * as z from 'zod/mini';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { Credentials } from '../contract.ts';
import { readAddresses } from '../rules.ts';
import { StreamFailure, type Positions, type ReaderSettings } from './reader.ts';
import type { StreamRow } from './store.ts';

const purpose = 'skytally event stream credentials';

/** The sealed form; null when there are none. */
export const sealed = (app: App, streamId: string, credentials: Credentials): Buffer | null =>
  credentials.kind === 'none' ? null : seal(app, purpose, streamId, JSON.stringify(credentials));

/** What connecting to the broker of a stream takes. */
export function settingsOf(
  app: App,
  row: StreamRow,
  positions: Positions,
  signal: AbortSignal,
): ReaderSettings {
  const addresses = row.options.kind === 'files' ? [] : readAddresses(row.address, row.options.kind);
  if (typeof addresses === 'string') throw new StreamFailure('address', row.address);
  return {
    app,
    streamId: row.id,
    options: row.options,
    address: row.address,
    addresses,
    turn: row.failures,
    authority: row.authority,
    credentials:
      row.credentials === null
        ? { kind: 'none' }
        : z.parse(Credentials, JSON.parse(unseal(app, purpose, row.id, row.credentials))),
    start: row.start,
    positions,
    signal,
  };
}

// Credentials of brokers, decrypted only to connect.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { sealedCredentials } from '#features/metering/connectors/server/index.ts';
import { Credentials } from '../contract.ts';
import { readAddresses } from '../rules.ts';
import { StreamFailure, type Positions, type ReaderSettings } from './reader.ts';
import type { StreamRow } from './store.ts';

const { seal, open } = sealedCredentials('skytally event stream credentials', Credentials);
export const sealed = seal;

/** Returns what is needed to connect to a stream's broker. */
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
    credentials: open(app, row.id, row.credentials),
    start: row.start,
    positions,
    signal,
  };
}

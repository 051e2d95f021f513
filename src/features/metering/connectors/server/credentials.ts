// Credentials of sources, decrypted only to send requests to the source.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { Credentials } from '../contract-sources.ts';
import { sealedCredentials } from './sealed-credentials.ts';
import type { SourceSettings } from './source.ts';
import type { ConnectorRow } from './store.ts';

const { seal, open } = sealedCredentials('skytally connector credentials', Credentials);
export const sealed = seal;

/** Returns what is needed to query a connector's source. */
export const settingsOf = (
  app: App,
  { id, address, options, credentials }: Pick<ConnectorRow, 'id' | 'address' | 'options' | 'credentials'>,
): SourceSettings => ({
  address,
  options,
  credentials: open(app, id, credentials),
  privateHosts: app.config.privateHosts,
  timeoutMs: app.config.sourceTimeoutMs,
});

// Credentials of sources, opened only for asking the source.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { Credentials } from '../contract-sources.ts';
import { sealedCredentials } from './sealed-credentials.ts';
import type { SourceSettings } from './source.ts';
import type { ConnectorRow } from './store.ts';

const { seal, open } = sealedCredentials('skytally connector credentials', Credentials);
export const sealed = seal;

/** What the source of a connector needs to be asked. */
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

// Credentials of sources: sealed with the installation's key, opened only for asking the source.
import * as z from 'zod/mini';
import { seal, unseal } from '#platform/server/security/sealing.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { Credentials } from '../contract-sources.ts';
import type { SourceSettings } from './source.ts';
import type { ConnectorRow } from './store.ts';

const purpose = 'skytally connector credentials';

/** The sealed form; null when there are none. */
export const sealed = (app: App, connectorId: string, credentials: Credentials): Buffer | null =>
  credentials.kind === 'none' ? null : seal(app, purpose, connectorId, JSON.stringify(credentials));

/** What the source of a connector needs to be asked. */
export function settingsOf(
  app: App,
  row: Pick<ConnectorRow, 'id' | 'address' | 'options' | 'credentials'>,
): SourceSettings {
  return {
    address: row.address,
    options: row.options,
    credentials:
      row.credentials === null
        ? { kind: 'none' }
        : z.parse(Credentials, JSON.parse(unseal(app, purpose, row.id, row.credentials))),
    privateHosts: app.config.privateHosts,
  };
}

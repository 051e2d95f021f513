// `npm run cli -- secrets …`: moves the installation's secrets into its database, or replaces lost ones.
import { readFileSync } from 'node:fs';
import type { Config } from '#platform/server/config.ts';
import { withClient } from '#platform/server/database/other-database.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { backupKeyFile, renewSecrets, sealSecrets, secretsFile } from '#platform/server/security/secrets.ts';
import { hasSecretsTable } from '#platform/server/security/store-secrets.ts';
import { systemClock } from '#platform/server/clock.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { cliActor, inAppAt } from './app.ts';
import { CommandRefused } from './command-refused.ts';
import { atDatabase } from './database.ts';
import type { SealOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/**
 * Moves the secrets of DATA_DIR into the database, encrypted with SECRET_KEY, or re-encrypts those already
 * there. Safe to repeat.
 */
export async function seal({ formerKeyFile }: SealOptions, terminal: Terminal): Promise<number> {
  const config = terminal.config();
  const { dataDir, secretKey } = config;
  if (secretKey === undefined)
    throw new CommandRefused(
      'Set SECRET_KEY to a new random key, the same for all consoles. One is made with: openssl rand -base64 32',
    );
  const formerKey = formerKeyFile === undefined ? undefined : readFileSync(formerKeyFile, 'utf8').trim();
  return atDatabase(config, async (where) => {
    const isChanged = await changing(where, (client) =>
      sealSecrets(client, { dataDir, secretKey }, { now: systemClock().now(), formerKey }),
    );
    if (isChanged) await recordChange(where, config, 'administration.sealSecrets');
    terminal.out(
      isChanged
        ? `The secrets are in the database, sealed with this SECRET_KEY. Keep it apart from the backups. Start every console with it; those that run without it must be started anew.\n${formerKey === undefined ? `Then remove ${secretsFile} and ${backupKeyFile} from ${dataDir}.\n` : ''}`
        : 'The secrets are sealed with this SECRET_KEY already; nothing was changed.\n',
    );
    return 0;
  });
}

/** Replaces lost secrets. */
export async function renew({ yes = false }: { yes?: boolean }, terminal: Terminal): Promise<number> {
  if (!yes)
    throw new CommandRefused(
      'With new secrets everybody must sign in again, authenticators must be set up anew (recovery codes still open), licence files of former releases are no longer recognized, and the recovery key of backups is another one. Say --yes if the former secrets are lost.',
    );
  const config = terminal.config();
  return atDatabase(config, async (where) => {
    await changing(where, (client) => renewSecrets(client, config, systemClock().now()));
    await recordChange(where, config, 'administration.renewSecrets');
    terminal.out('The installation has new secrets. Start its consoles.\n');
    return 0;
  });
}

type Place = DatabaseConnection | string;

const changing = <T>(
  where: Place,
  change: (client: Parameters<typeof renewSecrets>[0]) => Promise<T>,
): Promise<T> =>
  withClient(where, async (client) => {
    if (!(await hasSecretsTable(client)))
      throw new CommandRefused(
        'This release has not changed the database yet. Start the console once without SECRET_KEY, so that it backs up and upgrades it.',
      );
    return change(client);
  });

/** The audit row doubles as the first use of the new secrets. */
const recordChange = (where: Place, config: Config, action: string): Promise<void> =>
  inAppAt(where, config, (app) => unitOfWork(app, { actor: cliActor }, async (ctx) => ctx.audit(action)));

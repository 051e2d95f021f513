// Sign-in by device code (RFC 8628), sign-out, and showing who is signed in.
import { isPermission, keyAreas, type Permission } from '#kernel/permissions.ts';
import { devices, type KeyFacts } from '#features/access/devices/contract.ts';
import * as z from 'zod/mini';
import type { Answer } from '../answer.ts';
import { CommandRefused } from '../command-refused.ts';
import { CallRefused, caller, sender } from './http-call.ts';
import type { Language } from '#kernel/language.ts';
import {
  consoleAddress,
  credentialsOf,
  machineName,
  readCredentials,
  removeCredentials,
  writeCredentials,
  type RemoteTerminal,
  type Say,
} from './session.ts';

export type Setting = { readonly terminal: RemoteTerminal; readonly language: Language; readonly say: Say };
export type LoginOptions = {
  readonly address?: string;
  readonly name?: string;
  readonly permissions?: string;
  readonly irreversible?: true;
};

/**
 * What the commands need: read access except to people's data, and changing the catalog and organizations and
 * previewing a close.
 */
const usualPermissions: readonly Permission[] = [
  ...keyAreas.filter((area) => area !== 'people').map((area): Permission => `${area}:read`),
  'catalogue:write',
  'customers:write',
  'billing:write',
  'operations:write',
];

function permissionsOf(typed: string | undefined, say: Say): Permission[] {
  if (typed === undefined) return [...usualPermissions];
  return typed.split(',').map((each) => {
    const permission = each.trim();
    if (!isPermission(permission)) throw new CommandRefused(say('cli.permission_unknown', { permission }));
    return permission;
  });
}

/** Shows a code, waits for a person to confirm it, and stores the key. */
export async function login(options: LoginOptions, { terminal, language, say }: Setting): Promise<Answer> {
  const { address: usual, credentialsFile } = terminal.settings();
  const given = options.address ?? usual ?? readCredentials(credentialsFile, say)?.address;
  if (given === undefined) throw new CommandRefused(say('cli.sign_in_first'));
  const address = consoleAddress(given, say);
  const call = caller(sender({ address }, language, say));
  const asked = await call(devices.askDevice, {
    name: options.name ?? machineName(),
    permissions: permissionsOf(options.permissions, say),
    irreversible: options.irreversible === true,
  });
  terminal.err(
    `${say('cli.login_open', { link: asked.verificationUriComplete, code: asked.userCode, minutes: asked.expiresIn / 60 })}\n`,
  );
  let seconds = asked.interval;
  for (;;) {
    await terminal.pause(seconds * 1000);
    try {
      const { secret, key } = await call(devices.pollDevice, { deviceCode: asked.deviceCode });
      writeCredentials(credentialsFile, { address, key: secret });
      return {
        data: z.encode(devices.describeKey.output, key),
        lines: [say('cli.login_done', { address, account: key.account, until: untilOf(key, say) })],
      };
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.code === 'devices.slow_down') seconds += 5;
      else if (error.code !== 'devices.authorization_pending') throw error;
    }
  }
}

const untilOf = ({ expiresAt }: KeyFacts, say: Say): string =>
  expiresAt?.toISOString().slice(0, 10) ?? say('cli.forever');

/** Revokes and deletes the stored key. */
export async function logout({ terminal, language, say }: Setting): Promise<Answer> {
  const { credentialsFile, key } = terminal.settings();
  if (key !== undefined && key !== '')
    return { data: { ended: false }, lines: [say('cli.logout_environment')], status: 1 };
  const kept = readCredentials(credentialsFile, say);
  if (!kept) return { data: { ended: false }, lines: [say('cli.logout_none')] };
  await caller(sender({ address: kept.address }, language, say))(devices.endKey, { secret: kept.key });
  removeCredentials(credentialsFile);
  return { data: { ended: true }, lines: [say('cli.logout_done')] };
}

/** Whom the key acts for. */
export async function factsOf({ terminal, language, say }: Setting): Promise<KeyFacts> {
  const { address, key } = credentialsOf(terminal, say);
  return caller(sender({ address }, language, say))(devices.describeKey, { secret: key });
}

/** Shows whom the key acts for. */
export async function whoami(setting: Setting): Promise<Answer> {
  const { say } = setting;
  const facts = await factsOf(setting);
  const { person, account, role, organization, name, permissions } = facts;
  return {
    data: z.encode(devices.describeKey.output, facts),
    lines: [
      say('cli.me', { person, account, role }),
      ...(organization === null ? [] : [say('cli.me_organization', { organization })]),
      say('cli.me_key', { name, until: untilOf(facts, say) }),
      say('cli.me_permissions', { permissions: permissions.join(' ') }),
    ],
  };
}

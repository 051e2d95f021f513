// Which console the command line talks to, and with which key: from the environment, or from the stored
// sign-in.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { languageOf, type Language } from '#kernel/language.ts';
import { createTranslator } from '#kernel/translate.ts';
import type { TextParams } from '#kernel/text.ts';
import type { clientEnvironment } from '#platform/server/config.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { CommandRefused } from '../command-refused.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';

/** How the command line reads, writes and waits: through the process, or through a test. */
export type RemoteTerminal = {
  readonly settings: () => ReturnType<typeof clientEnvironment>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** All of the standard input. */
  readonly input: () => Promise<string>;
  readonly pause: (ms: number) => Promise<void>;
};

/** Translates one of the command line's own texts. */
export type Say = (key: keyof typeof enUS, params?: TextParams) => string;
const translate = createTranslator({ zhTW, enUS });

/** The command line's own texts in the requested language; English when it does not have that language. */
export function translatorIn(language: Language): Say {
  return (key, params) => translate(language, key, params);
}
/** The language of a setting such as `zh_TW.UTF-8`; English for any other. */
export const languageFor = (asked: string | undefined): Language => languageOf(asked) ?? 'enUS';

const Credentials = z.object({ address: z.string(), key: z.string() });
export type Credentials = z.output<typeof Credentials>;

/** The default name of a key. */
export const machineName = (): string => hostname().slice(0, 80);

/** Reads the stored sign-in; undefined when there is none. @throws CommandRefused when the file is invalid */
export function readCredentials(file: string, say: Say): Credentials | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new CommandRefused(say('cli.credentials_unreadable', { file }));
  }
  try {
    return z.parse(Credentials, JSON.parse(text));
  } catch {
    // Whatever is wrong with it, signing in again fixes it.
    throw new CommandRefused(say('cli.credentials_unreadable', { file }));
  }
}

/** Stores the sign-in, readable by its owner only. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** Deletes the stored sign-in. */
export const removeCredentials = (file: string): void => rmSync(file, { force: true });

/**
 * Normalizes an address; the only path it may have is that of a sandbox. @throws CommandRefused when it is
 * invalid, or would send keys unencrypted to another machine
 */
export function consoleAddress(given: string, say: Say): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    // Reported below.
    throw new CommandRefused(say('cli.address_wrong', { address: given }));
  }
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new CommandRefused(say('cli.address_wrong', { address: given }));
  const [sandbox = ''] = /^\/sandbox\/sbx_[0-9a-z]{26}(?=\/?$)/.exec(url.pathname) ?? [];
  return `${url.origin}${sandbox}`;
}

/** The address and key to call with. @throws CommandRefused when nobody is signed in */
export function credentialsOf(terminal: RemoteTerminal, say: Say): Credentials {
  const { address, key, credentialsFile } = terminal.settings();
  if (key !== undefined && key !== '') {
    if (address === undefined) throw new CommandRefused(say('cli.address_missing'));
    return { address: consoleAddress(address, say), key };
  }
  const kept = readCredentials(credentialsFile, say);
  if (!kept) throw new CommandRefused(say('cli.sign_in_first'));
  return kept;
}

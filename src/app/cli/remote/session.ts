// Which console the command line speaks to, and with which key: from the environment, or from what it signed in with.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { languageOf, type Language } from '#kernel/language.ts';
import { createTranslator } from '#kernel/translate.ts';
import type { TextParams } from '#kernel/text.ts';
import type { clientEnvironment } from '#platform/server/config.ts';
import { CommandRefused } from '../command-refused.ts';
import { enUS } from '../locales/enUS.ts';
import { zhTW } from '../locales/zhTW.ts';

/** What the command line reads, writes and waits with: the process's own, or a test's. */
export type RemoteTerminal = {
  readonly settings: () => ReturnType<typeof clientEnvironment>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** All of the standard input. */
  readonly input: () => Promise<string>;
  readonly pause: (ms: number) => Promise<void>;
};

export type Say = (key: keyof typeof enUS, params?: TextParams) => string;
const translate = createTranslator({ zhTW, enUS });

/** The command line's own sentences in the language that is asked for, English when it knows no such language. */
export function sentences(language: Language): Say {
  return (key, params) => translate(language, key, params);
}
export const languageFor = (asked: string | undefined): Language => languageOf(asked) ?? 'enUS';

const Credentials = z.object({ address: z.string(), key: z.string() });
export type Credentials = z.output<typeof Credentials>;

/** The name that a key gets when nobody says one. */
export const machineName = (): string => hostname().slice(0, 80);

/** The file that holds what was signed in with; undefined when there is none. @throws CommandRefused when it is no such file */
export function readCredentials(file: string, say: Say): Credentials | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandRefused(say('cli.credentials_unreadable', { file }));
  }
  try {
    return z.parse(Credentials, JSON.parse(text));
  } catch {
    // Whatever is wrong in it, it is mended by signing in again.
    throw new CommandRefused(say('cli.credentials_unreadable', { file }));
  }
}

/** Keeps what was signed in with, readable by its owner only. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}

/** Forgets it. */
export const removeCredentials = (file: string): void => rmSync(file, { force: true });

/** An address as it is given, without a path but that of a sandbox. @throws CommandRefused when it is none, or sends keys unencrypted to another machine */
export function consoleAddress(given: string, say: Say): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    // Told below.
    throw new CommandRefused(say('cli.address_wrong', { address: given }));
  }
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new CommandRefused(say('cli.address_wrong', { address: given }));
  const [sandbox = ''] = /^\/sandbox\/sbx_[0-9a-z]{26}(?=\/?$)/.exec(url.pathname) ?? [];
  return `${url.origin}${sandbox}`;
}

/** Where to call, and with which key. @throws CommandRefused when nobody has signed in */
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

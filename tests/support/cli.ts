// Runs the operator's commands in a test's own process, on the database of its console.
import { operator } from '#app/cli/operator.ts';
import { readConfig } from '#platform/server/config.ts';
import { addressOf } from './database.ts';
import type { TestConsole } from './console.ts';

export type Outcome = { readonly code: number | null; readonly out: string; readonly err: string };

/** The settings with which a command finds a test's console. */
export function cliSettings(console: TestConsole): Record<string, string> {
  return {
    DATABASE_URL: addressOf(console.app.database.where),
    DATA_DIR: console.app.config.dataDir,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://console.example',
    ...(console.app.config.secretKey !== undefined && { SECRET_KEY: console.app.config.secretKey }),
  };
}

/**
 * Runs a command in this process: with separate connections and settings, but without the second that a
 * process takes to load.
 */
export async function runCli(console: TestConsole, ...words: readonly string[]): Promise<Outcome> {
  let [out, err] = ['', ''];
  const code = await operator(words, {
    config: () => readConfig(cliSettings(console)),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

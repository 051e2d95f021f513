// Runs the remote command line in a test's own process: settings and pauses are the test's.
import { skytally } from '#app/cli/remote/skytally.ts';
import type { RemoteTerminal } from '#app/cli/remote/session.ts';
import type { Outcome } from './cli.ts';

/** Runs a command. `paused` is called with the output so far each time the command waits. */
export async function runRemote(
  words: readonly string[],
  settings: Partial<ReturnType<RemoteTerminal['settings']>> &
    Pick<ReturnType<RemoteTerminal['settings']>, 'credentialsFile'>,
  { input = '', paused }: { input?: string; paused?: (shown: string, ms: number) => Promise<unknown> } = {},
): Promise<Outcome> {
  let [out, err] = ['', ''];
  const code = await skytally(words, {
    settings: () => ({
      address: undefined,
      key: undefined,
      meteringKey: undefined,
      language: 'en_US.UTF-8',
      ...settings,
    }),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    input: async () => input,
    pause: async (ms) => void (await paused?.(err, ms)),
  });
  return { code, out, err };
}

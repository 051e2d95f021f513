// The command line over the API in a test's own process: its settings are the test's, and its pauses do what the test says.
import { skytally } from '#app/cli/remote/skytally.ts';
import type { RemoteTerminal } from '#app/cli/remote/session.ts';
import type { Outcome } from './cli.ts';

/** Carries out a command. `paused` is told what was shown until then, each time that the command waits. */
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

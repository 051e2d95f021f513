// How a command reads and writes: through the process, or through a test.
import { readConfig, type Config } from '#platform/server/config.ts';

export type Terminal = {
  /** The settings, read when a command starts its work. @throws ConfigError */
  readonly config: () => Config;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export const processTerminal: Terminal = {
  config: () => readConfig(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

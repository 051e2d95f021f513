// What a command reads and writes: the process's own, or a test's.
import { readConfig, type Config } from '#platform/server/config.ts';

export type Terminal = {
  /** The settings, read when a command begins its work. @throws ConfigError */
  readonly config: () => Config;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export const processTerminal: Terminal = {
  config: () => readConfig(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

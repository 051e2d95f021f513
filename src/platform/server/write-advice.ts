// What an operator can do when the console or its database cannot write to the data directory.
import { StartRefused } from './start-refused.ts';

const advices: readonly (readonly [reason: RegExp, advice: (folder: string) => string])[] = [
  [
    /no space left on device|disk quota exceeded|check free disk space/i,
    (folder) =>
      `Free some space on the disk of ${folder}, then start again: what is stored there is unharmed.`,
  ],
  [
    /read-only file system/i,
    (folder) => `Mount ${folder} so that the console can write to it, or set DATA_DIR to another directory.`,
  ],
  [
    /permission denied|operation not permitted/i,
    (folder) =>
      `${folder} and everything in it must belong to the user that runs the console${process.geteuid === undefined ? '' : `, ${process.geteuid()}`}, and be writable; or set DATA_DIR to another directory.`,
  ],
];

/**
 * The advice for a reason as the operating system or PostgreSQL words it (in English, which the console starts
 * it with); undefined when the reason is not about writing.
 */
export function writeAdvice(reason: string, folder: string): string | undefined {
  return advices.find(([pattern]) => pattern.test(reason))?.[1](folder);
}

/** An error of the start, as a refusal with advice when a full or unwritable disk has caused it. */
export function withWriteAdvice(error: unknown, folder: string): unknown {
  if (!(error instanceof Error)) return error;
  const advice = writeAdvice(error.message, folder);
  if (advice === undefined || error.message.endsWith(advice)) return error;
  const lead = error instanceof StartRefused ? '' : 'The console could not store something: ';
  return new StartRefused(`${lead}${error.message.replace(/[.\s]*$/, '.')} ${advice}`, { cause: error });
}

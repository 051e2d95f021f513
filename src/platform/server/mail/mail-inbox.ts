// Where e-mails go while somebody develops without an SMTP server: kept in memory, shown at /debug/mail, gone with the process.
import type { RenderedLetter } from './mail-letter.ts';

export type InboxLetter = RenderedLetter & {
  readonly to: string;
  readonly messageId: string;
  readonly at: Date;
};
const mostKept = 200;

export class DevelopmentInbox {
  #letters: readonly InboxLetter[] = [];

  /** Keeps a letter; of very many only the newest. */
  keep(letter: InboxLetter): void {
    this.#letters = [letter, ...this.#letters].slice(0, mostKept);
  }

  /** The newest first. */
  get letters(): readonly InboxLetter[] {
    return this.#letters;
  }

  clear(): void {
    this.#letters = [];
  }
}

// Receives e-mails during development without an SMTP server: kept in memory, shown at /debug/mail.
import type { RenderedLetter } from './mail-letter.ts';

export type InboxLetter = RenderedLetter & {
  readonly to: string;
  readonly messageId: string;
  readonly at: Date;
};
const maxLetters = 200;

export class DevelopmentInbox {
  #letters: readonly InboxLetter[] = [];

  /** Stores a letter; drops the oldest beyond the limit. */
  add(letter: InboxLetter): void {
    this.#letters = [letter, ...this.#letters].slice(0, maxLetters);
  }

  /** Newest first. */
  get letters(): readonly InboxLetter[] {
    return this.#letters;
  }

  clear(): void {
    this.#letters = [];
  }
}

// Questions that arrive in the same moment are asked at once.
import { setImmediate as nextTurn } from 'node:timers/promises';

type Asking<Q, A> = { readonly question: Q; readonly answer: (answer: A) => void; readonly fail: (error: unknown) => void };

/** A line of questions. Those that come while others are being answered are the next ones, together; none is answered by what was asked before it came. */
export class Together<Q, A> {
  readonly #answerAll: (questions: readonly Q[]) => Promise<readonly A[]>;
  readonly #waiting: Asking<Q, A>[] = [];
  #isAsked = false;

  /** `answerAll` answers each question at its own place. When it fails, all of them do. */
  constructor(answerAll: (questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#answerAll = answerAll;
  }

  ask(question: Q): Promise<A> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ question, answer, fail });
      if (!this.#isAsked) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isAsked = true;
    // Those that arrive in the same turn go together.
    await nextTurn();
    while (this.#waiting.length > 0) {
      const asking = this.#waiting.splice(0);
      try {
        const answers = await this.#answerAll(asking.map(({ question }) => question));
        for (const [place, { answer, fail }] of asking.entries()) {
          if (place in answers) answer(answers[place] as A);
          else fail(new Error('a question was left without an answer'));
        }
      } catch (error) {
        for (const { fail } of asking) fail(error);
      }
    }
    this.#isAsked = false;
  }
}

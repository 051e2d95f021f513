// Questions that arrive in the same moment are asked at once.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many turns one waits at most for more to come; a turn in which none comes ends it. */
const mostTurns = 16;

/** Waits as long as each turn brings more of what `count` counts: those that come close behind one another go together, and a single one waits a turn. */
export async function comeIn(count: () => number): Promise<void> {
  for (let [turn, before] = [0, -1]; turn < mostTurns && count() > before; turn++) {
    before = count();
    await nextTurn();
  }
}

type Asking<Q, A> = {
  readonly question: Q;
  readonly answer: (answer: A) => void;
  readonly fail: (error: unknown) => void;
};

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
    while (this.#waiting.length > 0) {
      await comeIn(() => this.#waiting.length);
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

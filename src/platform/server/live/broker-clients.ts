// Types for the broker's clients: which topics a client may subscribe to, and what it may publish.
import { asError } from '#kernel/errors.ts';

/** Identifies a message: the client's name and the packet id (null: sent without requesting an acknowledgement). */
export type MessageOrigin = { readonly clientId: string; readonly messageId: number | null };

/** What a client may publish, and the function that processes it. */
export type Sending = {
  /** The one topic it may publish to. */
  readonly topic: string;
  /** The topic of the responses; one of the topics that the client may subscribe to. */
  readonly answerTopic: string;
  /**
   * Processes messages in order and responds to each; once it resolves, they are durable. Undefined when the
   * client may not publish (any more). A rejection is an unexpected error: nothing was recorded, and the
   * client sends again.
   */
  readonly take: (
    payloads: readonly Buffer[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[] | undefined>;
  /** Whether the client may still publish. */
  readonly isInForce: () => Promise<boolean>;
};

/**
 * The identity of a client, the topics it may subscribe to, and what it may publish; most publish nothing.
 */
export type LiveClient = {
  readonly userId: string;
  readonly sessionId: string;
  readonly topics: readonly string[];
  readonly sends?: undefined;
};
/** A machine that publishes. `sessionId` names the session or key whose end closes its connections. */
export type SendingClient = {
  readonly keyId: string;
  readonly sessionId: string;
  readonly topics: readonly string[];
  readonly sends: Sending;
};
export type BrokerClient = LiveClient | SendingClient;

/** Where a client connects from. Without an Origin header it is not a browser. */
export type ClientOrigin = {
  readonly address: string;
  readonly hasOrigin: boolean;
  readonly acceptLanguage: string | undefined;
};
/** Checks a client's user name and password; undefined refuses it. */
export type AdmitClient = (
  userName: string,
  password: string,
  from: ClientOrigin,
) => Promise<BrokerClient | undefined>;
/** Returns which of these clients' sessions (or keys) have ended. */
export type ReviewClients = (clients: readonly BrokerClient[]) => Promise<readonly string[]>;

type Waiting = {
  readonly payload: Buffer;
  readonly origin: MessageOrigin;
  readonly done: (answer: Readonly<Record<string, unknown>> | Error) => void;
};

/**
 * The messages of one connection, processed in order. Messages that arrive while others are being recorded
 * are recorded next as one group; so a sender that does not wait costs few commits, and acknowledgements keep
 * their order.
 */
export class Inbox {
  readonly #sending: Sending;
  #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Accepts one message; `done` gets its response and origin, or the reason why it was not recorded. */
  push(payload: Buffer, origin: MessageOrigin, done: Waiting['done']): void {
    this.#waiting.push({ payload, origin, done });
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const now = this.#waiting;
      this.#waiting = [];
      const answers = await this.#sending.take(now.map((each) => each.payload)).catch(asError);
      for (const [index, { origin, done }] of now.entries()) {
        if (answers instanceof Error) done(answers);
        else {
          const answer = answers?.[index];
          done(answer ? { ...answer, ...origin } : new NotAdmitted());
        }
      }
    }
    this.#isBusy = false;
  }
}

/** The client may not publish, or not any more. This is expected, so it is not logged as an error. */
export class NotAdmitted extends Error {
  constructor() {
    super('this client may not publish that');
    this.name = 'NotAdmitted';
  }
}

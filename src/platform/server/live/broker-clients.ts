// What the broker knows of a client: what it may hear, and what it may send.

/** A message's place among those of its connection: the client's own name for itself and its packet (null: sent without asking for an acknowledgement). */
export type MessageOrigin = { readonly clientId: string; readonly messageId: number | null };

/** What a client may send, and who deals with it. */
export type Sending = {
  /** The one topic it may publish to. */
  readonly topic: string;
  /** Where the answers go; among what the client may hear. */
  readonly answerTopic: string;
  /**
   * Deals with messages, in their order, and answers each: durable once it resolves. Undefined when the client may not send
   * (any more). A throw is a fault: nothing was taken, and the client sends again.
   */
  readonly take: (
    payloads: readonly Buffer[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[] | undefined>;
  /** Whether it may still send. */
  readonly isInForce: () => Promise<boolean>;
};

/** Who a client is, which topics it may hear, and what it may send; most send nothing. */
export type LiveClient = {
  readonly userId: string;
  readonly sessionId: string;
  readonly topics: readonly string[];
  readonly sends?: undefined;
};
/** A machine that sends. `sessionId` is what ends its connections. */
export type SendingClient = {
  readonly keyId: string;
  readonly sessionId: string;
  readonly topics: readonly string[];
  readonly sends: Sending;
};
export type BrokerClient = LiveClient | SendingClient;

/** Where a client comes from. Without an Origin header it is no browser. */
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
/** Answers which sessions (or keys) of these clients are over. */
export type ReviewClients = (clients: readonly BrokerClient[]) => Promise<readonly string[]>;

type Waiting = {
  readonly payload: Buffer;
  readonly origin: MessageOrigin;
  readonly done: (answer: Readonly<Record<string, unknown>> | Error) => void;
};

/**
 * The messages of one connection, dealt with in their order: those that come while others are being recorded go together
 * after them, so a sender that does not wait pays for few commits, and acknowledgements keep the order of messages.
 */
export class Inbox {
  readonly #sending: Sending;
  #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  /** Takes one message; `done` hears its answer with its origin, or why it was not taken. */
  push(payload: Buffer, origin: MessageOrigin, done: Waiting['done']): void {
    this.#waiting.push({ payload, origin, done });
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const now = this.#waiting;
      this.#waiting = [];
      const answers = await this.#sending
        .take(now.map((each) => each.payload))
        .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
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

/** The client may not send, or not any more: expected, so no fault. */
export class NotAdmitted extends Error {
  constructor() {
    super('this client may not publish that');
    this.name = 'NotAdmitted';
  }
}

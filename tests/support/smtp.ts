// A faulty mail server for tests, on plain sockets, because a mail server library cannot misbehave in these
// ways.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { read, type Letter } from './mail.ts';

/**
 * `later` and `never` answer recipients with 4xx and 5xx; `drops` accepts the whole message and disconnects
 * before responding; `down` accepts no connection.
 */
export type SmtpMode = 'good' | 'slow' | 'later' | 'never' | 'drops' | 'down';
const slowMs = 300;

export class FaultySmtp {
  /** The letters that were received completely, whether the response was sent or not. */
  readonly letters: Letter[] = [];
  mode: SmtpMode = 'good';
  url = '';
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  async start(): Promise<this> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    this.url = `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  #serve(socket: Socket): void {
    if (this.mode === 'down') {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // The client may disconnect as soon as it has its response.
    socket.on('error', () => socket.destroy());
    const session = new Session(this, socket);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => void session.take(text));
    void session.writeLine('220 stand-in ESMTP');
  }

  /** How long each answer takes. */
  get restMs(): number {
    return this.mode === 'slow' ? slowMs : 0;
  }
}

/** One connection: reads lines and answers them in order. */
class Session {
  readonly #server: FaultySmtp;
  readonly #socket: Socket;
  #rest = '';
  #message: string | undefined;
  #to = '';
  #pending: Promise<void> = Promise.resolve();

  constructor(server: FaultySmtp, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
  }

  async writeLine(line: string): Promise<void> {
    if (this.#server.restMs > 0) await sleep(this.#server.restMs);
    if (!this.#socket.destroyed) this.#socket.write(`${line}\r\n`);
  }

  async take(text: string): Promise<void> {
    this.#pending = this.#pending.then(() => this.#read(text));
    await this.#pending;
  }

  async #read(text: string): Promise<void> {
    this.#rest += text;
    for (;;) {
      if (this.#message !== undefined) {
        const end = this.#rest.indexOf('\r\n.\r\n');
        if (end < 0) return;
        const raw = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 5);
        await this.#taken(raw);
        continue;
      }
      const end = this.#rest.indexOf('\r\n');
      if (end < 0) return;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      await this.#answer(line);
    }
  }

  async #answer(line: string): Promise<void> {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT') {
      this.#to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (this.#server.mode === 'later') return this.writeLine('451 4.3.0 come back later');
      if (this.#server.mode === 'never') return this.writeLine('550 5.1.1 no such mailbox here');
    }
    if (verb === 'DATA') {
      this.#message = '';
      return this.writeLine('354 go on');
    }
    return this.writeLine(verb === 'QUIT' ? '221 bye' : '250 fine');
  }

  async #taken(raw: string): Promise<void> {
    this.#message = undefined;
    this.#server.letters.push(read(this.#to, raw));
    if (this.#server.mode === 'drops') this.#socket.destroy();
    else await this.writeLine('250 taken');
  }
}

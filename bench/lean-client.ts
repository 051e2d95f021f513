// An HTTP client that takes almost no processor time: requests are prepared bytes, and of an answer only its
// end is found. For a small request Node's own client takes more of the two cores than the server does.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One kept connection with one request at a time. */
export class LeanConnection {
  readonly #socket: Socket;
  #text = '';
  #waiting: { readonly answer: (text: string) => void; readonly fail: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (part: string) => this.#read(part));
    socket.on('error', (error) => this.#waiting?.fail(error));
    socket.on('close', () => this.#waiting?.fail(new Error('the connection was closed')));
  }

  /** Connects to `http://host:port`. */
  static async open(address: string): Promise<LeanConnection> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new LeanConnection(socket);
  }

  /** Sends a request of {@link leanRequest} and resolves to the answer, head and body. */
  send(request: Buffer): Promise<string> {
    return new Promise((answer, fail) => {
      this.#waiting = { answer, fail };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(part: string): void {
    this.#text += part;
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1];
    if (length === undefined) return this.#waiting?.fail(new Error('an answer without a length'));
    if (this.#text.length < end + 4 + Number(length)) return;
    const text = this.#text;
    this.#text = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.answer(text);
  }
}

/** A request as bytes: a POST of a body, or a GET without one. */
export function leanRequest(
  url: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Buffer {
  const { host, pathname, search } = new URL(url);
  const head = Object.entries({
    host,
    connection: 'keep-alive',
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const method = body === undefined ? 'GET' : 'POST';
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`);
}

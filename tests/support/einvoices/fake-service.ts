// The base of simulated e-invoice services: real HTTP servers that can fail in every way that a network and a
// provider can. They also run in separate processes, so their content can be queried and failures ordered
// over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StandIn } from '../stand-in.ts';

/** How the next matching request fails. "before": without effect. "after": it took effect. */
export const lies = [
  'cut before',
  'cut after',
  'cut in the middle',
  'silent before',
  'silent after',
  'rubbish before',
  'rubbish after',
  'status 500 before',
  'status 500 after',
  'busy',
  'refused',
  'no number',
  'a used number',
  'wrong keys',
  'another merchant',
] as const;
export type Lie = (typeof lies)[number];

/** The correct response, before it is falsified: its text, and variants. */
export type Reply = {
  readonly text: string;
  /** The same response with another invoice's number, without one, with other keys, or of another merchant. */
  readonly spoiled: (lie: 'no number' | 'a used number' | 'wrong keys' | 'another merchant') => string;
};
type Order = { readonly lie: Lie; readonly on: string };

export abstract class FakeService<State> extends StandIn {
  readonly #orders: Order[] = [];
  /** Every path that was called, in order. */
  readonly calls: string[] = [];

  /** Fails once, for the next request whose path contains `on`. */
  lie(lie: Lie, on = ''): void {
    this.#orders.push({ lie, on });
  }

  /** Its content, as plain data. */
  abstract state(): State;
  /** Processes a request and returns the response. */
  protected abstract reply(path: string, body: string): Reply;
  /** The response of a service that is too busy to do anything. */
  protected abstract busy(): string;
  /** A rejection that does not mention what was requested. */
  protected abstract refused(): string;

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, body] = [request.url ?? '', await text(request)];
    if (path === '/__state') return void response.end(JSON.stringify(this.state()));
    if (path === '/__lie') {
      const { lie, on } = JSON.parse(body) as Order;
      this.lie(lie, on);
      return void response.end('{}');
    }
    this.calls.push(path);
    const place = this.#orders.findIndex(({ on }) => path.includes(on));
    const lie = place < 0 ? undefined : this.#orders.splice(place, 1)[0]?.lie;
    this.#answer(lie, path, body, request, response);
  }

  #answer(
    lie: Lie | undefined,
    path: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const page = '<html><body>Service Unavailable</body></html>';
    const json = (text: string): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    if (lie === 'cut before') return void request.socket.destroy();
    if (lie === 'silent before') return;
    if (lie === 'rubbish before') return void response.writeHead(200).end(page);
    if (lie === 'status 500 before') return void response.writeHead(500).end(page);
    if (lie === 'busy') return json(this.busy());
    if (lie === 'refused') return json(this.refused());
    const reply = this.reply(path, body);
    switch (lie) {
      case 'cut after':
        return void request.socket.destroy();
      case 'cut in the middle':
        response.writeHead(200, { 'content-length': Buffer.byteLength(reply.text) });
        return void response.write(reply.text.slice(0, reply.text.length / 2), () =>
          request.socket.destroy(),
        );
      case 'silent after':
        return;
      case 'rubbish after':
        return void response.writeHead(200).end(page);
      case 'status 500 after':
        return void response.writeHead(500).end(page);
      case undefined:
        return json(reply.text);
      default:
        return json(reply.spoiled(lie));
    }
  }
}

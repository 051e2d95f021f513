// An identity provider with pages: a form that asks who somebody is, and one that posts the response to the
// console, as real providers do.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeSamlIdp, readRequest, type AnswerParts, type SamlIdp } from './saml-idp.ts';

export type SamlIdpServer = {
  readonly idp: SamlIdp;
  readonly origin: string;
  /** The responses about people, by the name that they enter. */
  readonly people: Map<string, Partial<AnswerParts>>;
  readonly end: () => Promise<void>;
};

const page = (title: string, form: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body><h1>${title}</h1>${form}</body></html>`;

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(await text(request));

/** Starts a provider on a free port. */
export async function startSamlIdp(): Promise<SamlIdpServer> {
  const people: SamlIdpServer['people'] = new Map();
  const server = createServer((request, response) => {
    const send = (html: string): void => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    };
    const address = new URL(request.url ?? '/', 'http://idp.example');
    if (address.pathname !== '/sso') return void response.writeHead(404).end();
    const samlRequest = readRequest(address.href);
    if (request.method === 'GET')
      return send(
        page(
          'Harbour sign-in',
          `<form method="post" action="${address.pathname}${address.search.replaceAll('&', '&amp;')}"><label>Name <input name="name"></label><button>Sign in</button></form>`,
        ),
      );
    void formOf(request).then((form) => {
      const target = {
        entityId: samlRequest.issuer,
        acsUrl: samlRequest.acsUrl,
        requestId: samlRequest.id,
        now: new Date(),
      };
      const answer = idp.answer(target, people.get(form.get('name') ?? '') ?? {});
      send(
        page(
          'Harbour answer',
          `<form method="post" action="${samlRequest.acsUrl}"><input type="hidden" name="SAMLResponse" value="${answer}"><button>Continue</button></form>`,
        ),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const idp = makeSamlIdp(origin);
  return {
    idp,
    origin,
    people,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

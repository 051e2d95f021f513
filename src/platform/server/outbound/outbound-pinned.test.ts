// Sending to addresses that customers enter, against a real HTTPS server, with a resolver that the test
// controls.
import { readFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  postPinned,
  requestPinned,
  targetIssue,
  type PinnedOptions,
  type Resolve,
} from './outbound-pinned.ts';

const [key, cert] = ['receiver.key.pem', 'receiver.crt.pem'].map((name) =>
  readFileSync(join(import.meta.dirname, '../../../../tests/support/fixtures', name), 'utf8'),
);
const servers: { close: () => unknown; closeAllConnections: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(serve: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  const server: Server = createServer({ key: key!, cert: cert! }, serve);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(port, host, ready));
  return (server.address() as AddressInfo).port;
}
const ok = (_request: IncomingMessage, response: ServerResponse): void => void response.end('thanks');
const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses;
const post = (address: string, more: Partial<PinnedOptions> = {}) =>
  postPinned(address, {
    headers: { 'content-type': 'application/json' },
    body: '{"a":"é"}',
    loopback: true,
    resolve: to('127.0.0.1'),
    ca: cert!,
    ...more,
  });

describe('2.H-127 addresses that are rejected before anything is sent', () => {
  const refused = Object.entries({
    not_public: [
      'https://127.1/',
      'https://127.0.1/',
      'https://0x7f.1/',
      'https://0x7f000001/',
      'https://2130706433/',
      'https://017700000001/',
      'https://0177.0.0.1/',
      'https://127.0.0.1./',
      'https://127。0。0。1/',
      'https://①②⑦.0.0.1/',
      'https://0/',
      'https://0.0.0.0/',
      'https://10.0.0.1/',
      'https://10.1/',
      'https://0xa.0.0.1/',
      'https://012.0.0.1/',
      'https://167772161/',
      'https://172.16.0.1/',
      'https://192.168.1/',
      'https://3232235777/',
      'https://169.254.169.254/latest/meta-data/',
      'https://0xa9fea9fe/',
      'https://2852039166/',
      'https://169.254.43518/',
      'https://100.64.0.1/',
      'https://198.18.0.1/',
      'https://192.0.2.1/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://[::1]/',
      'https://[0:0:0:0:0:0:0:1]/',
      'https://[::]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[::ffff:a00:1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[0:0:0:0:0:ffff:7f00:1]/',
      'https://[::127.0.0.1]/',
      'https://[64:ff9b::10.0.0.1]/',
      'https://[64:ff9b::169.254.169.254]/',
      'https://[2002:a00:1::]/',
      'https://[2002:7f00:1::]/',
      'https://[fd00::1]/',
      'https://[fc00::1]/',
      'https://[fe80::1]/',
      'https://[ff02::1]/',
      'https://[fec0::1]/',
      'https://[2001:db8::1]/',
    ],
    host: [
      'https://localhost/',
      'https://localhost./',
      'https://LOCALHOST/',
      'https://a.localhost/',
      'https://metadata.google.internal/',
      'https://printer.local/',
      'https://router.home.arpa/',
      'https://database/',
      'https://hooks.example.com./',
      'https://ｌｏｃａｌｈｏｓｔ/',
    ],
    not_https: [
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'file:///etc/passwd',
      'gopher://hooks.example.com/',
      'javascript:alert(1)',
      'data:text/plain,x',
    ],
    credentials: [
      'https://user@hooks.example.com/',
      'https://user:pass@hooks.example.com/',
      'https://hooks.example.com@10.0.0.1/',
      'https://:pass@hooks.example.com/',
    ],
    port: [
      'https://hooks.example.com:22/',
      'https://hooks.example.com:25/',
      'https://hooks.example.com:80/',
      'https://hooks.example.com:1023/',
    ],
    malformed: [
      '',
      'hooks.example.com',
      '//hooks.example.com',
      'https://',
      'https://[fe80::1%25eth0]/',
      'https://hooks.example.com/#a',
      'https://exa mple.com/',
      'https://hooks.example.com:99999/',
      'https://256.1.1.1/',
    ],
  }).flatMap(([issue, addresses]) => addresses.map((address) => [address, issue] as const));
  it('are more than sixty', () => expect(refused.length).toBeGreaterThanOrEqual(60));
  it.each(refused)('%s: %s', async (address, issue) => {
    expect(targetIssue(address, false)).toBe(issue);
    expect(
      await postPinned(address, {
        headers: {},
        body: '',
        loopback: false,
        resolve: () => Promise.reject(new Error('nobody is asked')),
      }),
    ).toMatchObject({ status: null, failure: 'address_refused', detail: issue });
  });

  it.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/in?user=a@b',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://例子.測試.tw/',
  ])('do not include %s', (address) => {
    expect(targetIssue(address, false)).toBeUndefined();
  });

  it('include this machine, and http, unless that was allowed', () => {
    expect([
      targetIssue('http://127.0.0.1:4000/', true),
      targetIssue('http://localhost:4000/', true),
      targetIssue('http://[::1]:4000/', true),
    ]).toEqual([undefined, undefined, undefined]);
    expect([
      targetIssue('http://10.0.0.1/', true),
      targetIssue('http://hooks.example.com/', true),
      targetIssue('https://169.254.169.254/', true),
    ]).toEqual(['not_https', 'not_https', 'not_public']);
  });
});

describe('host names', () => {
  it.each([['10.0.0.1'], ['1.1.1.1', '169.254.169.254'], ['::ffff:127.0.0.1'], ['fd00::1']])(
    '2.H-127 with one address that is not public (%s) are rejected',
    async (...addresses) => {
      const outcome = await postPinned('https://hooks.example.com/', {
        headers: {},
        body: '',
        loopback: false,
        resolve: to(...addresses),
      });
      expect(outcome).toMatchObject({ status: null, failure: 'not_public', detail: addresses.at(-1) });
    },
  );

  it('2.H-128 are resolved once, and the connection goes to the checked address with the name’s certificate', async () => {
    const seen: string[] = [];
    const port = await listen((request, response) => {
      seen.push(`${request.socket.localAddress} ${request.headers.host}`);
      response.end('first');
    });
    await listen((_request, response) => response.end('second'), '127.0.0.2', port);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const outcome = await post(`https://receiver.example:${port}/hook`, {
      resolve: async () => answers[lookups++] ?? [],
    });
    expect(outcome).toMatchObject({ status: 200, failure: null, answer: 'first' });
    expect([lookups, seen]).toEqual([1, [`127.0.0.1 receiver.example:${port}`]]);
  });

  it('that do not exist are reported as such', async () => {
    expect(await post('https://receiver.example/', { resolve: to() })).toMatchObject({
      failure: 'name_unknown',
      detail: 'receiver.example',
    });
  });
});

describe('an outbound request', () => {
  it('sends the exact bytes and returns the first kilobyte of the response', async () => {
    let got = '';
    const port = await listen((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (part: string) => (got += part))
        .on('end', () => response.writeHead(500).end(`${'é'.repeat(600)}\0`));
    });
    const outcome = await post(`https://receiver.example:${port}/`);
    expect(got).toBe('{"a":"é"}');
    expect(outcome).toMatchObject({ status: 500, failure: null, answer: 'é'.repeat(512) });
  });

  it('accepts only a certificate of the name', async () => {
    const port = await listen(ok);
    expect(await post(`https://other.example:${port}/`)).toMatchObject({
      status: null,
      failure: 'certificate',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    const { ca: _ca, ...unknown } = {
      headers: {},
      body: '',
      loopback: true,
      resolve: to('127.0.0.1'),
      ca: '',
    };
    expect(await postPinned(`https://receiver.example:${port}/`, unknown)).toMatchObject({
      status: null,
      failure: 'certificate',
    });
  });

  it('2.H-129 2.H-130 follows no redirect, especially not to http', async () => {
    const visited: string[] = [];
    const plain = createPlain((request, response) => {
      visited.push(request.url ?? '');
      response.end();
    });
    servers.push(plain);
    await new Promise<void>((ready) => plain.listen(0, '127.0.0.1', ready));
    const port = await listen(
      (_request, response) =>
        void response
          .writeHead(307, { location: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/inside` })
          .end(),
    );
    expect(await post(`https://receiver.example:${port}/`)).toMatchObject({ status: 307, failure: null });
    expect(visited).toEqual([]);
  });

  it('2.H-131 reads a megabyte of the response and cuts off the rest, however long it is', async () => {
    const megabyte = 1024 * 1024;
    const port = await listen((request, response) => {
      const bytes = Number(request.url?.slice(1));
      const more = (left: number): void => {
        if (left <= 0) return void response.end();
        response.write(Buffer.alloc(Math.min(left, 65_536), 97), () => more(left - 65_536));
      };
      more(bytes);
    });
    const outcome = (bytes: number) => post(`https://receiver.example:${port}/${bytes}`);
    expect(await outcome(megabyte)).toMatchObject({ status: 200, failure: null, answer: 'a'.repeat(1024) });
    expect(await outcome(megabyte + 1)).toMatchObject({ status: 200, failure: 'too_large', answer: '' });
    expect(await outcome(1e12)).toMatchObject({ status: 200, failure: 'too_large', answer: '' });
  });

  it('2.H-131 times out: before the connection, before the headers, and while a response trickles in', async () => {
    const silent = await listen(() => undefined);
    const dripping = await listen((_request, response) => void response.writeHead(200).write('a'));
    const longestMs = 300;
    expect(await post(`https://receiver.example:${silent}/`, { longestMs })).toMatchObject({
      status: null,
      failure: 'timeout',
      detail: 'connection',
    });
    expect(await post(`https://receiver.example:${dripping}/`, { longestMs })).toMatchObject({
      status: 200,
      failure: 'timeout',
      detail: 'answer',
    });
    expect(
      await post('https://receiver.example/', { longestMs, resolve: () => new Promise(() => undefined) }),
    ).toMatchObject({ status: null, failure: 'timeout', detail: 'name' });
  });

  it('reports a refused connection, and uses no proxy of the environment', async () => {
    const port = await listen(ok);
    const before = process.env['HTTPS_PROXY'];
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      expect(await post(`https://receiver.example:${port}/`)).toMatchObject({ status: 200 });
    } finally {
      if (before === undefined) delete process.env['HTTPS_PROXY'];
      else process.env['HTTPS_PROXY'] = before;
      delete process.env['NODE_USE_ENV_PROXY'];
    }
    servers.at(-1)?.close();
    servers.at(-1)?.closeAllConnections();
    expect(await post(`https://receiver.example:${port}/`)).toMatchObject({
      status: null,
      failure: 'connection',
      detail: 'ECONNREFUSED',
    });
  });
});

describe('requests to a server that an Admin named', () => {
  const ask = (address: string, more: object = {}) =>
    requestPinned(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      privateHosts: ['127.0.0.1'],
      maxBytes: 1000,
      longestMs: 500,
      signal: new AbortController().signal,
      ...more,
    });
  async function listenPlain(serve: RequestListener): Promise<number> {
    const server = createPlain(serve);
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return (server.address() as AddressInfo).port;
  }

  it('2.H-127 use http only for hosts that the operator listed', () => {
    const isPlainAllowed = true;
    expect(targetIssue('http://10.0.0.5:9090/', false, ['10.0.0.5'], { isPlainAllowed })).toBeUndefined();
    expect(targetIssue('http://10.0.0.5:9090/', false, ['10.0.0.5'])).toBe('not_https');
    expect(targetIssue('http://10.0.0.6:9090/', false, ['10.0.0.5'], { isPlainAllowed })).toBe('not_https');
    expect(targetIssue('https://10.0.0.6/', false, ['10.0.0.5'], { isPlainAllowed })).toBe('not_public');
  });

  it('return any status with its headers, and follow no redirect', async () => {
    const seen: (string | undefined)[] = [];
    const port = await listenPlain((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-length']}`);
      response.writeHead(302, { location: '/elsewhere', 'retry-after': '7' }).end('moved');
    });
    expect(await ask(`http://127.0.0.1:${port}/a?b={c}`)).toMatchObject({
      status: 302,
      text: 'moved',
      headers: { 'retry-after': '7' },
    });
    expect(seen).toEqual(['GET /a?b={c} undefined']);
  });

  it('2.H-131 end with too many bytes, with their timeout, and with the caller’s signal', async () => {
    const large = await listenPlain((_request, response) => response.end('a'.repeat(1001)));
    await expect(ask(`http://127.0.0.1:${large}/`)).rejects.toMatchObject({ failure: 'too_large' });
    const silent = await listenPlain(() => undefined);
    await expect(ask(`http://127.0.0.1:${silent}/`)).rejects.toMatchObject({ failure: 'timeout' });
    await expect(
      ask(`http://127.0.0.1:${silent}/`, { longestMs: 60_000, signal: AbortSignal.timeout(50) }),
    ).rejects.toMatchObject({ failure: 'timeout' });
    await expect(ask('https://169.254.169.254/')).rejects.toMatchObject({ failure: 'address_refused' });
  });
});

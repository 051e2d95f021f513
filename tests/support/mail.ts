// A mailbox for tests: a real SMTP server on a free port that stores the mails it receives.
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The headers as they were transmitted. */ readonly head: string;
  readonly html: string;
  readonly messageId: string;
};
export type Mailbox = {
  /** For SMTP_URL. */
  readonly url: string;
  readonly letters: readonly Letter[];
  /** The link in the latest letter to an address. */
  readonly linkFor: (to: string) => string | undefined;
  readonly close: () => Promise<void>;
};

/** Opens the mailbox. */
export async function openMailbox(): Promise<Mailbox> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        letters.push(
          read(session.envelope.rcptTo[0]?.address ?? '', Buffer.concat(parts).toString('latin1')),
        );
        done();
      });
    },
  });
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    linkFor: (to) =>
      /https?:\/\/\S+#token=\S+/.exec(
        letters.findLast((letter) => letter.to === to && letter.text.includes('#token='))?.text ?? '',
      )?.[0],
    close: () =>
      new Promise((done) => {
        server.close(done);
      }),
  };
}

/** Parses a letter: encoded words in its subject; plain and HTML parts in base64, quoted-printable or unencoded. */
export function read(to: string, raw: string): Letter {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = head.replace(/\r\n[ \t]+/g, ' ');
  const field = (name: string): string => fieldOf(headers, name);
  const subject = field('subject')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : quoted(word.replaceAll('_', ' ')),
    );
  const body = rest.join('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(field('content-type'))?.[1];
  const parts =
    boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, ''));
  const part = (type: string): string | undefined => {
    const found = parts.find((each) => fieldOf(each, 'content-type').startsWith(type));
    return found === undefined
      ? undefined
      : decoded(found.slice(found.indexOf('\r\n\r\n') + 4), fieldOf(found, 'content-transfer-encoding'))
          .replaceAll('\r\n', '\n')
          .trimEnd();
  };
  return {
    to,
    subject,
    head,
    text: part('text/plain') ?? decoded(body, field('content-transfer-encoding')),
    html: part('text/html') ?? '',
    messageId: field('message-id'),
  };
}

const fieldOf = (headers: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '';
const decoded = (body: string, encoding: string): string =>
  encoding.toLowerCase() === 'base64'
    ? Buffer.from(body, 'base64').toString()
    : encoding.toLowerCase() === 'quoted-printable'
      ? quoted(body.replace(/=\r\n/g, ''))
      : body;

const quoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

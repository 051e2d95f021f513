// E-mail through the operator's SMTP server. Messages go through the outbox, so that no request waits for the
// server.
import type { Transporter } from 'nodemailer';
import * as z from 'zod/mini';
import type { Config } from '../config.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { DevelopmentInbox } from './mail-inbox.ts';
import { Letter, renderLetter } from './mail-letter.ts';
import { Undeliverable, type Sender, type StoredMessage } from '../live/outbox.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Language } from '#kernel/language.ts';

/** The kind of outbox messages that become e-mails. */
export const mailKind = 'mail';

// The outbox stores only the content; the layout is added on sending, so that 30,000 e-mails in one night
// stay small.
const Mail = z.extend(Letter, {
  to: z.string(),
  /** The sender's display name and reply address. The sender address stays the operator's, which mail servers trust. */
  sender: z.optional(z.strictObject({ name: z.string(), replyTo: z.optional(z.string()) })),
  /** The link with which the recipient unsubscribes; omitted for mandatory e-mails. */
  unsubscribe: z.optional(z.string()),
});
export type Mail = z.output<typeof Mail>;

const timeoutMs = 20_000;

/** Whether e-mails can be sent: there is an SMTP server, a development inbox, or a sandbox inbox. */
export const hasMail = (config: Config): boolean =>
  config.smtpUrl !== undefined || config.mode === 'development' || config.sandboxId !== undefined;

/**
 * Stores an e-mail in the outbox, to be sent at `dueAt` (default: now); `key` makes it unique forever.
 * Without an SMTP server nothing is stored: an e-mail sent weeks later, when a server is configured, would
 * only confuse its recipient.
 */
export function sendMail(ctx: Ctx, key: string, mail: Mail, dueAt?: Date): void {
  if (hasMail(ctx.app.config)) ctx.send(mailKind, key, mail, dueAt);
}

/**
 * The plain text of an e-mail in the recipient's language: the paragraphs of several text keys, joined by
 * blank lines.
 */
export function mailText(
  ctx: Ctx,
  language: Language,
  paragraphs: readonly (readonly [key: string, params?: TextParams])[],
): string {
  return paragraphs.map(([key, params]) => ctx.text(key, params, language)).join('\n\n');
}

/** Parses an e-mail from the outbox into plain text. @throws ZodError when the payload is not an e-mail */
export function readMail(payload: unknown): {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
} {
  const mail = z.parse(Mail, payload);
  return { to: mail.to, subject: mail.subject, text: renderLetter(mail).text };
}

const messageIdOf = ({ id }: StoredMessage, from: string): string =>
  `<outbox-${id}@${from.split('@')[1]?.replace(/>$/, '') ?? 'localhost'}>`;

/**
 * The outbox sender for e-mails. The message id is derived from the outbox row, so that mail servers
 * recognize a repeat.
 */
export function mailSender(smtpUrl: string, from: string): Sender {
  let transport: Transporter | undefined;
  return {
    atOnce: 4,
    send: async (message) => {
      // Loaded with the first e-mail, because most consoles send none.
      const { createTransport } = await import('nodemailer');
      transport ??= createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      });
      await deliver(transport, from, message);
    },
  };
}

/** The sender for development without an SMTP server; delivers to {@link DevelopmentInbox}. */
export function inboxSender(inbox: DevelopmentInbox, from: string, now: () => Date): Sender {
  return {
    atOnce: 4,
    send: async (message) => {
      const mail = z.parse(Mail, message.payload);
      inbox.add({ ...renderLetter(mail), to: mail.to, messageId: messageIdOf(message, from), at: now() });
    },
  };
}

/** The From header: the operator, or another name with the operator's address. */
export function senderOf(
  { sender }: Pick<Mail, 'sender'>,
  from: string,
): {
  readonly from: string | { readonly name: string; readonly address: string };
  readonly replyTo?: { readonly name: string; readonly address: string };
} {
  if (!sender) return { from };
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
  return {
    from: { name: sender.name, address },
    ...(sender.replyTo !== undefined && { replyTo: { name: sender.name, address: sender.replyTo } }),
  };
}

async function deliver(transport: Transporter, from: string, message: StoredMessage): Promise<void> {
  const mail = z.parse(Mail, message.payload);
  const headers = {
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe !== undefined && { 'List-Unsubscribe': `<${mail.unsubscribe}>` }),
  };
  try {
    // Addresses are passed as objects, so that a comma or line break in them cannot add a recipient or a
    // header.
    await transport.sendMail({
      ...senderOf(mail, from),
      to: { name: '', address: mail.to },
      ...renderLetter(mail),
      headers,
      messageId: messageIdOf(message, from),
    });
  } catch (error) {
    throw refusedForGood(error) ?? error;
  }
}

/**
 * A 5xx reply to the recipient or the message (RFC 5321, 4.2.1): another attempt would get the same reply.
 * Keeps the server's wording.
 */
function refusedForGood(error: unknown): Undeliverable | undefined {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return undefined;
  const isFinal =
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500 &&
    ['MAIL FROM', 'RCPT TO', 'DATA'].includes(String(error.command));
  return isFinal
    ? new Undeliverable(
        'response' in error && typeof error.response === 'string' ? error.response : error.message,
      )
    : undefined;
}

// E-mail: one transport to the operator's SMTP server; messages come through the outbox, so no request waits for it.
import type { Transporter } from 'nodemailer';
import * as z from 'zod/mini';
import { language as languageShape } from '#kernel/shape.ts';
import type { Config } from '../config.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { DevelopmentInbox } from './mail-inbox.ts';
import { renderLetter, type RenderedLetter } from './mail-letter.ts';
import { Undeliverable, type Sender, type StoredMessage } from '../live/outbox.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Language } from '#kernel/language.ts';

/** Outbox messages of this kind become e-mails. */
export const mailKind = 'mail';

// What is kept of an e-mail is what it says: how it looks is worked out when it is sent, and 30,000 of a night stay small.
const Mail = z.strictObject({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  language: z.optional(languageShape),
  brand: z.optional(z.string()),
  items: z.optional(
    z.array(z.strictObject({ text: z.string(), note: z.optional(z.string()), link: z.optional(z.string()) })),
  ),
  action: z.optional(z.strictObject({ label: z.string(), link: z.string() })),
  footer: z.optional(z.array(z.string())),
  /** Where its reader says that they want no more of these; left out for what must be told. */
  unsubscribe: z.optional(z.string()),
});
export type Mail = z.output<typeof Mail>;

const timeoutMs = 20_000;

/** Whether e-mails can be sent at all: there is an SMTP server, or the inbox of the development mode. */
export const hasMail = (config: Config): boolean =>
  config.smtpUrl !== undefined || config.mode === 'development';

/**
 * Leaves an e-mail for the outbox, to be sent at `dueAt` (left out: now); `key` makes it unique for ever. Without an SMTP server nothing is left:
 * a message that is found weeks later, when one is configured, would only confuse.
 */
export function sendMail(ctx: Ctx, key: string, mail: Mail, dueAt?: Date): void {
  if (hasMail(ctx.app.config)) ctx.send(mailKind, key, mail, dueAt);
}

/** The plain text of an e-mail in a reader's language: paragraphs of text keys, joined by empty lines. */
export function mailText(
  ctx: Ctx,
  language: Language,
  paragraphs: readonly (readonly [key: string, params?: TextParams])[],
): string {
  return paragraphs.map(([key, params]) => ctx.text(key, params, language)).join('\n\n');
}

/** How an e-mail looks: the same for one that is sent and one that is only shown. */
export const renderMail = (mail: Mail): RenderedLetter => renderLetter(mail);

const messageIdOf = ({ id }: StoredMessage, from: string): string =>
  `<outbox-${id}@${from.split('@')[1]?.replace(/>$/, '') ?? 'localhost'}>`;

/** The outbox's sender of e-mails. The message id follows from the outbox row, so a repeat is recognised as one. */
export function mailSender(smtpUrl: string, from: string): Sender {
  let transport: Transporter | undefined;
  return {
    atOnce: 4,
    send: async (message) => {
      // Read when the first mail is sent: most consoles send none.
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

/** While developing without an SMTP server, e-mails are kept for {@link DevelopmentInbox}. */
export function inboxSender(inbox: DevelopmentInbox, from: string, now: () => Date): Sender {
  return {
    atOnce: 4,
    send: async (message) => {
      const mail = z.parse(Mail, message.payload);
      inbox.keep({ ...renderMail(mail), to: mail.to, messageId: messageIdOf(message, from), at: now() });
    },
  };
}

async function deliver(transport: Transporter, from: string, message: StoredMessage): Promise<void> {
  const mail = z.parse(Mail, message.payload);
  const headers = {
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe !== undefined && { 'List-Unsubscribe': `<${mail.unsubscribe}>` }),
  };
  try {
    // Addresses as objects: a comma or a line break in them cannot add a recipient or a header.
    await transport.sendMail({
      from,
      to: { name: '', address: mail.to },
      ...renderMail(mail),
      headers,
      messageId: messageIdOf(message, from),
    });
  } catch (error) {
    throw refusedForGood(error) ?? error;
  }
}

/** A 5xx to the recipient or the message (RFC 5321, 4.2.1): another attempt would hear the same. The server's own words stay. */
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

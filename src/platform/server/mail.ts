// E-mail: one transport to the operator's SMTP server; messages come through the outbox, so no request waits for it.
import type { Transporter } from 'nodemailer';
import * as z from 'zod/mini';
import type { Config } from './config.ts';
import type { Ctx } from './ctx.ts';
import type { Sender, StoredMessage } from './outbox.ts';
import { interpolate, type TextParams } from '#kernel/text.ts';
import type { Language } from '#kernel/language.ts';

/** Outbox messages of this kind become e-mails. */
export const mailKind = 'mail';

const Mail = z.strictObject({ to: z.string(), subject: z.string(), text: z.string() });
export type Mail = z.output<typeof Mail>;

const timeoutMs = 20_000;

/** Whether e-mails can be sent at all. */
export const hasMail = (config: Config): boolean => config.smtpUrl !== undefined;

/**
 * Leaves an e-mail for the outbox; `key` makes it unique for ever. Without an SMTP server nothing is left:
 * a message that is found weeks later, when one is configured, would only confuse.
 */
export function sendMail(ctx: Ctx, key: string, mail: Mail): void {
  if (hasMail(ctx.world.config)) ctx.send(mailKind, key, mail);
}

/** The plain text of an e-mail in a reader's language: paragraphs of text keys, joined by empty lines. */
export function mailText(ctx: Ctx, language: Language, paragraphs: readonly (readonly [key: string, params?: TextParams])[]): string {
  return paragraphs.map(([key, params]) => interpolate(ctx.text(key, {}, language), params ?? {})).join('\n\n');
}

/** The outbox's sender of e-mails. The message id follows from the outbox row, so a repeat is recognised as one. */
export function mailSender(smtpUrl: string, from: string): Sender {
  let transport: Transporter | undefined;
  return {
    atOnce: 4,
    send: async (message) => {
      // Read when the first mail is sent: most consoles send none.
      const { createTransport } = await import('nodemailer');
      transport ??= createTransport({ url: smtpUrl, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs });
      await deliver(transport, from, message);
    },
  };
}

async function deliver(transport: Transporter, from: string, message: StoredMessage): Promise<void> {
  const mail = z.parse(Mail, message.payload);
  const domain = from.split('@')[1]?.replace(/>$/, '') ?? 'localhost';
  // Addresses as objects: a comma or a line break in them cannot add a recipient or a header.
  await transport.sendMail({ from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text, messageId: `<outbox-${message.id}@${domain}>` });
}

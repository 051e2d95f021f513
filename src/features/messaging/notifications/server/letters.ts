// The content of notification e-mails.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Mail } from '#platform/server/mail/mail.ts';
import type { ShownBrand } from '#features/access/identity/server/index.ts';
import type { Language } from '#kernel/language.ts';
import type { Role } from '#kernel/roles.ts';
import { notificationsPaths, preferencesPaths } from '../contract.ts';
import type { KindRule } from '../rules-kinds.ts';
import { subjectOf } from '../rules.ts';

export type Reader = { readonly account: string; readonly language: Language; readonly role: Role };
export type LetterOf = {
  readonly person: Reader;
  readonly rule: KindRule;
  readonly message: string;
  readonly link: string | null;
};

/** The page on which a user can turn off a category of e-mails. */
const preferencesAddress = ({ address }: ShownBrand, role: Role): string =>
  `${address}${preferencesPaths[role]}`;

/** The e-mail of one notification. Mandatory ones have no link to turn them off. */
export function letterOf(
  ctx: Ctx,
  brand: ShownBrand,
  { person: { account, language, role }, rule, message, link }: LetterOf,
): Mail {
  const translate = (key: string, params = {}): string => ctx.text(key, params, language);
  const { address } = brand;
  // used as: 'notifications.category_*'
  const category = translate(`notifications.category_${rule.category}`);
  const unsubscribe = preferencesAddress(brand, role);
  return {
    to: account,
    language,
    ...brand.mail,
    subject: subjectOf(message),
    text: rule.isLocked
      ? `${message}\n\n${translate('notifications.mail_not_you', { address: `${address}/login` })}`
      : message,
    ...(link !== null && {
      action: { label: translate('notifications.mail_open'), link: `${address}${link}` },
    }),
    footer: rule.isLocked
      ? [translate('notifications.mail_why_locked')]
      : [
          translate('notifications.mail_why', { category }),
          translate('notifications.mail_preferences', { address: unsubscribe }),
        ],
    ...(!rule.isLocked && { unsubscribe }),
  };
}

/** The digest e-mail of a day's notifications, newest first; `more`: how many it does not list. */
export function digestLetter(
  ctx: Ctx,
  brand: ShownBrand,
  person: Reader,
  items: NonNullable<Mail['items']>,
  more: number,
): Mail {
  const translate = (key: string, params = {}): string => ctx.text(key, params, person.language);
  const unsubscribe = preferencesAddress(brand, person.role);
  return {
    to: person.account,
    language: person.language,
    ...brand.mail,
    subject: translate('notifications.digest_subject', { count: items.length + more }),
    items,
    text: [
      translate('notifications.digest_lead', { count: items.length + more }),
      ...(more > 0 ? [translate('notifications.digest_more', { count: more })] : []),
    ].join('\n\n'),
    action: {
      label: translate('notifications.digest_open'),
      link: `${brand.address}${notificationsPaths[person.role]}`,
    },
    footer: [
      translate('notifications.digest_why'),
      translate('notifications.mail_preferences', { address: unsubscribe }),
    ],
    unsubscribe,
  };
}

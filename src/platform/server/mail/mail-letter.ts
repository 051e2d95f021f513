// The layout of every e-mail: HTML without images that works in dark mail clients, and an equivalent plain
// text.
import * as z from 'zod/mini';
import { textOn } from '#kernel/contrast.ts';
import { tagOf } from '#kernel/language.ts';
import { chosenLanguage } from '#kernel/shape.ts';

/**
 * The content of an e-mail. `text`: paragraphs separated by blank lines; `footer`: why it was sent and how to
 * unsubscribe.
 */
export const Letter = z.strictObject({
  subject: z.string(),
  text: z.string(),
  language: z.optional(chosenLanguage),
  /** The console's name as its users know it. */
  brand: z.optional(z.string()),
  /** The color of header and button, `#RRGGBB`; defaults to the console's own. */
  accent: z.optional(z.string()),
  /** The lines of a digest. */
  items: z.optional(
    z.array(z.strictObject({ text: z.string(), note: z.optional(z.string()), link: z.optional(z.string()) })),
  ),
  action: z.optional(z.strictObject({ label: z.string(), link: z.string() })),
  footer: z.optional(z.array(z.string())),
});
type Letter = z.output<typeof Letter>;
export type RenderedLetter = { readonly subject: string; readonly html: string; readonly text: string };

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
const isWebAddress = (link: string): boolean => /^https?:\/\//i.test(link);
/** Turns URLs in a text into links; everything else is escaped. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"'，。）」]+)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a class="link" href="${escape(part)}" style="color:#1F4E8C;word-break:break-all">${escape(part)}</a>`
        : escape(part).replaceAll('\n', '<br>'),
    )
    .join('');

// The colors of platform/web/theme/palette.ts, repeated as values because mail clients do not support CSS
// variables.
const style = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.page{background:#0F1621!important}.card{background:#17202C!important;border-color:#2E3B4C!important}.body,.body p,.body td{color:#E8EDF4!important}.soft,.soft p{color:#A9B6C6!important}.head{background:#17202C!important;color:#E8EDF4!important;border-bottom:1px solid #2E3B4C!important}.link{color:#8FB8F6!important}.button{background:#8FB8F6!important;color:#0C1C33!important}.line{border-color:#2E3B4C!important}}
@media (max-width:620px){.card{border-left:0!important;border-right:0!important}.pad{padding-left:20px!important;padding-right:20px!important}}`;
const font =
  "font-family:'Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,'Noto Sans','PingFang TC','Microsoft JhengHei','Noto Sans TC',sans-serif";

const paragraphs = (text: string): string[] =>
  text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${linked(text)}</p>`;

function itemRow({ text, note, link }: NonNullable<Letter['items']>[number]): string {
  const words =
    link !== undefined && isWebAddress(link)
      ? `<a class="link" href="${escape(link)}" style="color:#1F4E8C">${escape(text)}</a>`
      : escape(text);
  return `<tr><td class="line" style="padding:10px 0;border-top:1px solid #D5DCE5;font-size:15px;line-height:1.5">${words}${note === undefined ? '' : `<br><span class="soft" style="font-size:13px;color:#4D5B6E">${escape(note)}</span>`}</td></tr>`;
}

/** Renders an e-mail as HTML and as plain text. Users' texts are escaped; only URLs become links. */
export function renderLetter({
  subject,
  text,
  language = 'zhTW',
  brand = '',
  accent = '#1F4E8C',
  items = [],
  action,
  footer = [],
}: Letter): RenderedLetter {
  const head =
    brand === ''
      ? ''
      : `<tr><td class="head pad" style="background:${accent};padding:16px 32px;color:${textOn(accent)};font-size:17px;font-weight:600">${escape(brand)}</td></tr>`;
  const button =
    action && isWebAddress(action.link)
      ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr><td><a class="button" href="${escape(action.link)}" style="display:inline-block;background:${accent};color:${textOn(accent)};text-decoration:none;font-size:16px;font-weight:600;line-height:24px;padding:10px 24px;border-radius:5px">${escape(action.label)}</a></td></tr></table>`
      : '';
  const list =
    items.length === 0
      ? ''
      : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px">${items.map(itemRow).join('')}</table>`;
  const foot =
    footer.length === 0
      ? ''
      : `<tr><td class="soft pad line" style="padding:16px 32px 20px;border-top:1px solid #D5DCE5;font-size:13px;line-height:1.6;color:#4D5B6E">${footer.map((line) => `<p style="margin:0 0 4px">${linked(line)}</p>`).join('')}</td></tr>`;
  const html = `<!doctype html>
<html lang="${tagOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(subject)}</title><style>${style}</style></head>
<body class="page" style="margin:0;padding:0;background:#F5F7FA;${font}"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#F5F7FA"><tr><td align="center" style="padding:24px 0">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;background:#FFFFFF;border:1px solid #D5DCE5;border-radius:5px;overflow:hidden;text-align:left">${head}
<tr><td class="body pad" style="padding:28px 32px 12px;color:#16202E">${paragraphs(text).map(paragraph).join('')}${list}${button}</td></tr>${foot}</table>
</td></tr></table></body></html>`;
  const plain = [
    ...paragraphs(text),
    ...(items.length === 0
      ? []
      : [
          items
            .map((item) =>
              [`- ${item.text}`, item.note, item.link].filter((line) => line !== undefined).join('\n  '),
            )
            .join('\n'),
        ]),
    ...(action ? [`${action.label}\n${action.link}`] : []),
    ...(footer.length === 0 ? [] : [`-- \n${footer.join('\n')}`]),
  ].join('\n\n');
  return { subject, html, text: plain };
}

// Shared parts of our A4 documents: letterhead, parties, totals and footer of bills, credit notes and
// receipts.
import type { PdfBox, PdfNode, PdfStyle } from './pdf-document.ts';
import { colours, label, mark, row, stack, text } from './pdf-look.ts';

// A4 is 595 points wide; margins of 44 on each side leave 507.
const margin = 44;
const right: PdfStyle = { textAlign: 'right' };

/** The page style: margins, with room for the footer. */
export const paperStyle: PdfStyle = {
  paddingTop: margin,
  paddingHorizontal: margin,
  paddingBottom: 64,
  color: colours.text,
};

/** The letterhead of an organization other than the operator. */
export type PaperLook = {
  /** A PNG in base64; null: no logo. */
  readonly logo: string | null;
  /** The color of the title, `#RRGGBB`, whose contrast with white is at least 3; null: the console's own. */
  readonly accent: string | null;
};

const logoHeight = 26;
/** Four times the logo's height; wider logos are scaled down. */
const logoWidth = 104;

/**
 * The letterhead: the seller's brand on the left; the document's title and number on the right. Without
 * `look` it is the operator's.
 */
export const paperHead = (brand: string, title: string, number: string, look?: PaperLook): PdfNode =>
  row(
    { justifyContent: 'space-between', alignItems: 'center', marginBottom: 20 },
    row(
      { alignItems: 'center', gap: 9, flex: 1 },
      ...(look === undefined
        ? [mark(logoHeight)]
        : look.logo === null
          ? []
          : [
              {
                kind: 'picture',
                style: { height: logoHeight, width: logoWidth },
                png: look.logo,
              } as const,
            ]),
      text(brand, { fontSize: 13, fontWeight: 700, flex: 1 }),
    ),
    stack(
      { alignItems: 'flex-end' },
      text(title, { fontSize: 22, fontWeight: 700, color: look?.accent ?? colours.brand, lineHeight: 1.2 }),
      text(number, { color: colours.quiet, marginTop: 3 }),
    ),
  );

/**
 * The footer of every page. `page` is the sentence with the page number, with the placeholders `{{page}}` and
 * `{{pages}}`. The footer must precede the page's content.
 */
export function pageFooter(brand: string, number: string, page: string): PdfNode {
  const small: PdfStyle = { fontSize: 8, color: colours.quiet };
  return {
    ...row(
      {
        position: 'absolute',
        left: margin,
        right: margin,
        bottom: 26,
        paddingTop: 6,
        borderTopWidth: 0.75,
        borderTopColor: colours.line,
        justifyContent: 'space-between',
      },
      text(`${brand} · ${number}`, small),
      text(page, { ...small, width: 130, ...right }),
    ),
    repeated: true,
  };
}

/** A tinted box for the most important figures. */
export const panel = (...children: readonly PdfNode[]): PdfBox =>
  stack(
    {
      backgroundColor: colours.sunken,
      borderRadius: 6,
      paddingVertical: 14,
      paddingHorizontal: 16,
      marginBottom: 20,
    },
    ...children,
  );
/** A label above its value, for the panel. */
export const figure = (name: string, value: string, width: number): PdfNode =>
  stack({ width }, label(name, { marginBottom: 3 }), text(value, { fontSize: 11, fontWeight: 700 }));

/** A seller or buyer; unknown details are omitted. */
export type PaperParty = {
  readonly name: string;
  readonly taxId: string;
  readonly address: string;
  readonly email: string;
};
/** A party under its label. `taxIdWords` formats the line with the tax id, if there is one; `more` are further lines below it. */
export const party = (
  name: string,
  details: PaperParty,
  taxIdWords: (taxId: string) => string,
  more: readonly string[] = [],
): PdfNode =>
  stack(
    { flex: 1 },
    label(name, { marginBottom: 4 }),
    text(details.name, { fontWeight: 700 }),
    ...(details.taxId === '' ? [] : [text(taxIdWords(details.taxId))]),
    ...more.map((line) => text(line)),
    ...[details.address, details.email]
      .filter((line) => line !== '')
      .map((line) => text(line, { color: colours.quiet, fontSize: 9 })),
  );
/** A label beside its value, below the parties. */
export const detail = (name: string, value: string): PdfNode =>
  row({ gap: 8 }, label(name, { width: 74, fontSize: 9 }), text(value, { flex: 1, fontSize: 9 }));

/** A column heading; repeated with its row on every page. */
export const columnHead = (words: string, style: PdfStyle): PdfNode =>
  text(words, { fontSize: 8, fontWeight: 700, color: colours.quiet, ...style });

/** A list of sums, the last of which is the total. The amounts are formatted already. */
export function paperTotals(
  parts: readonly (readonly [name: string, amount: string])[],
  whole: readonly [name: string, amount: string],
  after: readonly (readonly [name: string, amount: string])[] = [],
): PdfNode {
  const sum = ([name, amount]: readonly [string, string], style: PdfStyle = {}): PdfNode =>
    row(
      { justifyContent: 'space-between', paddingVertical: 2 },
      text(name, { color: colours.quiet, ...style }),
      text(amount, style),
    );
  return {
    ...row(
      { justifyContent: 'flex-end', marginTop: 12 },
      stack(
        { width: 236 },
        ...parts.map((part) => sum(part)),
        stack(
          { marginTop: 4, paddingTop: 4, borderTopWidth: 1, borderTopColor: colours.brand },
          sum(whole, { fontSize: 12, fontWeight: 700, color: colours.text }),
        ),
        ...after.map((part) => sum(part)),
      ),
    ),
    avoidsPageBreak: true,
  };
}

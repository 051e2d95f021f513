// Draws a document with @react-pdf/renderer: translates the plain data to the library's components.
import { fileURLToPath } from 'node:url';
import { Document, Font, Image, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer';
import { openSync } from 'fontkit';
import { createElement, type ReactElement } from 'react';
import type { PdfBox, PdfDocument, PdfNode, PdfStyle } from './pdf-document.ts';
import { lineParts } from './pdf-line-breaks.ts';

const family = 'Noto Sans TC';
const fontFile = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-tc/${name}`));
const regularFile = fontFile('400Regular/NotoSansTC_400Regular.ttf');

Font.register({
  family,
  fonts: [
    { src: regularFile, fontWeight: 400 },
    { src: fontFile('700Bold/NotoSansTC_700Bold.ttf'), fontWeight: 700 },
  ],
});
// An empty string between two parts tells the library not to insert a hyphen there.
Font.registerHyphenationCallback((word) =>
  lineParts(word).flatMap((part, index) => (index === 0 ? [part] : ['', part])),
);

const usualFontSize = 9.5;
const usualLineHeight = 1.45;
/** A repeated header is drawn only where at least this many points of content fit below it. */
const roomBelowHead = 60;

const regular = openSync(regularFile);
if (!('hasGlyphForCodePoint' in regular)) throw new Error(`${regularFile} holds more than one font`);
const hasGlyph = (character: string): boolean => regular.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/**
 * Replaces a character that the font lacks: by the character without its accent, or by a box that marks it as
 * missing.
 */
function drawableCharacter(character: string): string {
  if (character === '\n' || hasGlyph(character)) return character;
  const base = character.normalize('NFKD')[0] ?? '';
  if (base !== character && hasGlyph(base)) return base;
  return /\p{M}/u.test(character) ? '' : '□';
}

/** The text with only characters that the fonts have; a lone surrogate would make the file invalid. */
function drawable(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cc}]/gu, (sign) => (sign === '\n' ? sign : ''))
    .replaceAll('₹', 'INR ');
  return [...plain.normalize('NFC')].map(drawableCharacter).join('');
}

const isPlaced = (node: PdfNode): boolean => node.style?.position === 'absolute';

function toElement(node: PdfNode, key: number, isOnEveryPage: boolean): ReactElement {
  switch (node.kind) {
    case 'box':
      return boxElement(node, key, isOnEveryPage);
    case 'text': {
      // The library multiplies an inherited line height by the font size again, so each text sets both
      // itself.
      const style: PdfStyle = { fontSize: usualFontSize, lineHeight: usualLineHeight, ...node.style };
      if (!isOnEveryPage) return createElement(Text, { key, style }, drawable(node.text));
      const { lineHeight: _lineHeight, ...flat } = style;
      return createElement(Text, {
        key,
        style: flat,
        fixed: true,
        render: ({ pageNumber, totalPages }) =>
          drawable(
            node.text
              .replaceAll('{{page}}', String(pageNumber))
              .replaceAll('{{pages}}', String(totalPages ?? pageNumber)),
          ),
      });
    }
    case 'picture':
      return createElement(Image, {
        key,
        style: { ...node.style, objectFit: 'contain', objectPosition: 'left' },
        src: `data:image/png;base64,${node.png}`,
      });
    case 'drawing':
      return createElement(
        Svg,
        { key, style: node.style, viewBox: `0 0 ${node.viewBox.join(' ')}` },
        node.paths.map((path, index) =>
          createElement(Path, { key: index, ...path, fill: path.fill ?? 'none', strokeLinecap: 'round' }),
        ),
      );
  }
}

/** A text with this many characters or lines exceeds a page even in the narrowest column of our documents. */
const charactersOfPage = 1200;
const linesOfPage = 50;

/** Whether a part may be longer than a page: the library would truncate an unsplittable part. */
function mayExceedPage(node: PdfNode): boolean {
  if (node.kind === 'box') return node.children.some(mayExceedPage);
  return (
    node.kind === 'text' &&
    (node.text.length > charactersOfPage || node.text.split('\n').length > linesOfPage)
  );
}

function boxElement(node: PdfBox, key: number, isOnEveryPage: boolean): ReactElement {
  const { style = {}, children } = node;
  const isWhole = (node.avoidsPageBreak === true || style.flexDirection === 'row') && !mayExceedPage(node);
  const isFixed = node.repeated === true;
  return createElement(
    View,
    {
      key,
      style,
      wrap: !isWhole,
      ...(isFixed ? { fixed: true, ...(isPlaced(node) ? {} : { minPresenceAhead: roomBelowHead }) } : {}),
    },
    children.map((child, index) => toElement(child, index, isOnEveryPage || (isFixed && isPlaced(node)))),
  );
}

/** Renders a document. Throws when the document does not fit its pages. */
export async function drawDocument(document: PdfDocument): Promise<Uint8Array> {
  const { title, author, language, createdAt, size, style, children } = document;
  const page = createElement(
    Page,
    {
      size: size ? [size[0], size[1]] : 'A4',
      experimentalPagination: true,
      style: { fontFamily: family, ...style },
    },
    children.map((child, index) => toElement(child, index, false)),
  );
  return renderToBuffer(
    createElement(
      Document,
      {
        title,
        author,
        language,
        creator: author,
        producer: author,
        creationDate: createdAt,
        modificationDate: createdAt,
      },
      page,
    ),
  );
}

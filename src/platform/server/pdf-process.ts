// The process that draws PDFs: fonts and renderer live only here, so the console itself stays small and quick.
import { fileURLToPath } from 'node:url';
import { Document, Font, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer';
import { createElement, type ReactElement } from 'react';
import { interpolate } from '#kernel/text.ts';
import type { PdfDocument, PdfNode } from './pdf-document.ts';
import { makeQuicker } from './pdf-fonts.ts';
import { lineParts } from './pdf-line-breaks.ts';

/** What the process answers to a document. */
export type PdfAnswer = { readonly bytes: Uint8Array } | { readonly failure: string };

const family = 'Noto Sans TC';
const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-tc/${name}`));

Font.register({
  family,
  fonts: [
    { src: fontFile('400Regular/NotoSansTC_400Regular.ttf'), fontWeight: 400 },
    { src: fontFile('700Bold/NotoSansTC_700Bold.ttf'), fontWeight: 700 },
  ],
});
Font.registerHyphenationCallback(lineParts);

// The renderer takes a line height times the text's own size, and an inherited one once more on every page:
// so each text gets both itself, and lines that are made again on every page get no height.
const lineHeight = 1.45;
const usualSize = 9.5;

const regular = await fontOf(400);
await fontOf(700);
/** Which characters the family can draw; the rest would leave no mark and pull what follows over itself. */
const hasGlyph = (codePoint: number): boolean => regular.hasGlyphForCodePoint(codePoint);

async function fontOf(fontWeight: number) {
  await Font.load({ fontFamily: family, fontWeight });
  const font = Font.getFont({ fontFamily: family, fontWeight })?.data;
  if (!font) throw new Error(`the font ${family} ${fontWeight} cannot be read`);
  makeQuicker(font);
  return font;
}

/** A character as the font can draw it: itself, without its accent, or as a box that shows that one is missing. */
function drawableCharacter(character: string): string {
  if (character === '\n' || hasGlyph(character.codePointAt(0) ?? 0)) return character;
  const base = character.normalize('NFKD')[0] ?? '';
  if (base !== character && hasGlyph(base.codePointAt(0) ?? 0)) return base;
  return /\p{M}/u.test(character) ? '' : '□';
}

/** The text with only what the font can draw; a lone half of a character would break the file. */
function drawable(text: string): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, '\n').replace(/[^\S\n]+/gu, ' ').replace(/[\p{Cf}\p{Cc}]/gu, (sign) => (sign === '\n' ? sign : '')).replaceAll('₹', 'INR ');
  return [...plain.normalize('NFC')].map(drawableCharacter).join('');
}

function toElement(node: PdfNode, key: number): ReactElement {
  const style = node.style ?? {};
  switch (node.kind) {
    case 'box':
      return createElement(View, { key, style, wrap: node.together !== true, ...(node.repeated === true ? { fixed: true } : {}) }, node.children.map(toElement));
    case 'text':
      return node.repeated === true
        ? createElement(Text, { key, style: { fontSize: usualSize, ...style }, fixed: true, render: ({ pageNumber, totalPages }) => drawable(interpolate(node.text, { page: pageNumber, pages: totalPages ?? pageNumber })) })
        : createElement(Text, { key, style: { fontSize: usualSize, lineHeight, ...style } }, drawable(node.text));
    case 'drawing':
      return createElement(Svg, { key, style, viewBox: node.viewBox }, node.paths.map((path, index) => createElement(Path, { key: index, ...path, fill: path.fill ?? 'none', strokeLinecap: 'round' })));
  }
}

function toPages(document: PdfDocument): ReactElement<{ title?: string }> {
  const { title, author, language, createdAt } = document;
  // The renderer's new way to cut pages: its time grows with the lines, the old way's with their square.
  const page = createElement(Page, { size: 'A4', experimentalPagination: true, style: { fontFamily: family, ...document.style } }, document.children.map(toElement));
  return createElement(Document, { title, author, language, creator: author, producer: author, creationDate: createdAt, modificationDate: createdAt }, page);
}

async function answerTo(document: PdfDocument): Promise<PdfAnswer> {
  try {
    return { bytes: await renderToBuffer(toPages(document)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('message', (document: PdfDocument) => {
  void answerTo(document).then((answer) => process.send?.(answer));
});
// The console ends this process, or its own end does; a signal to the whole group must not cut a document short.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

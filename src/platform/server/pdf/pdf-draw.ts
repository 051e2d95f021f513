// Draws a document: lays it out, cuts it into pages, writes the file.
import { buffer } from 'node:stream/consumers';
import PDFKit from 'pdfkit';
import type { PdfBox, PdfDocument, PdfNode } from './pdf-document.ts';
import { faces } from './pdf-fonts.ts';
import { layOut } from './pdf-layout.ts';
import { drawWhole, type Paper } from './pdf-marks.ts';
import { pagesOf } from './pdf-pages.ts';

// A4 (ISO 216): 210 by 297 mm.
const [width, height] = [595.28, 841.89];
const usualColour = '#000000';

/** With the numbers of its page in its texts. */
function numbered(node: PdfNode, page: number, pages: number): PdfNode {
  if (node.kind === 'text') {
    const text = node.text.replaceAll('{{page}}', String(page)).replaceAll('{{pages}}', String(pages));
    return { ...node, text };
  }
  return node.kind === 'box'
    ? { ...node, children: node.children.map((child) => numbered(child, page, pages)) }
    : node;
}

/** The bytes of a document. Throws when it asks for what no page can hold. */
export async function drawDocument(document: PdfDocument): Promise<Uint8Array> {
  const { title, author, language, createdAt, style, children } = document;
  const isAtPlace = (node: PdfNode): boolean => node.style?.position === 'absolute';
  const flow: PdfBox = { kind: 'box', style, children: children.filter((child) => !isAtPlace(child)) };
  const laid = layOut(flow, width);
  const pages = pagesOf(laid, { top: laid.inset.top, bottom: height - laid.inset.bottom });

  const pdf = new PDFKit({
    autoFirstPage: false,
    lang: language,
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Creator: author,
      Producer: author,
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  for (const face of Object.values(faces)) pdf.registerFont(face.name, face.font);
  const paper: Paper = { pdf, colour: style.color ?? usualColour };
  const repeated = children.filter(isAtPlace);
  pages.forEach((marks, index) => {
    pdf.addPage({ size: [width, height], margin: 0 });
    for (const mark of marks) mark(paper);
    const around: PdfBox = {
      kind: 'box',
      children: repeated.map((node) => numbered(node, index + 1, pages.length)),
    };
    if (repeated.length > 0) drawWhole(paper, layOut(around, width, height), 0, 0);
  });
  pdf.end();
  return buffer(pdf);
}

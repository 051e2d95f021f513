// The process that draws PDFs. Only it loads the fonts and the library, which keeps the console's memory
// small.
import { obeyConsole } from '../processes/child-side.ts';
import type { PdfDocument } from './pdf-document.ts';
import { drawDocument } from './pdf-draw.ts';

/** The process's answer to a document. */
export type PdfAnswer = { readonly bytes: Uint8Array } | { readonly failure: string };

async function answerTo(document: PdfDocument): Promise<PdfAnswer> {
  try {
    return { bytes: await drawDocument(document) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on('message', (document: PdfDocument) => {
  void answerTo(document).then((answer) => process.send?.(answer));
});
obeyConsole();

// The process that draws PDFs: fonts and the library live only here, so the console itself stays small and quick.
import type { PdfDocument } from './pdf-document.ts';
import { drawDocument } from './pdf-draw.ts';

/** What the process answers to a document. */
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
// The console ends this process, or its own end does; a signal to the whole group must not cut a document short.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

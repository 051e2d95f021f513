// For tests: what a reader takes out of a PDF.
import { extractText } from 'unpdf';

/** The text of each page, every stretch of white space as one space. Needs embedded fonts that say which character each sign is. */
export async function pdfPages(bytes: Uint8Array): Promise<string[]> {
  // The library refuses a Buffer, and takes what it is given for itself.
  const { text } = await extractText(Uint8Array.from(bytes));
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

// For tests: the text of a PDF as a reader shows it.
import { extractText } from 'unpdf';

/** The text of each page, with whitespace collapsed. Needs embedded fonts with a character map. */
export async function pdfPages(bytes: Uint8Array): Promise<string[]> {
  // The library rejects a Buffer, and takes ownership of its input.
  const { text } = await extractText(Uint8Array.from(bytes));
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

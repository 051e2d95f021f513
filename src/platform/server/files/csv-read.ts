// Parses CSV files in portions and yields to the event loop between them, so that a large file blocks no
// other request.
import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { parse, type Options } from 'csv-parse';
import { asError } from '#kernel/errors.ts';
import { yieldToEventLoop } from '../jobs/yield-to-event-loop.ts';

// In the worst case (shortest rows, each with a different number of cells) csv-parse takes a tenth of a
// second for a few thousand rows, so a portion must be small.
const portionBytes = 4096;

async function* portionsOf(content: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let from = 0; from < content.length; from += portionBytes) {
    yield content.subarray(from, from + portionBytes);
    await yieldToEventLoop();
  }
}

/** The records of a UTF-8 file, as specified by the options. Throws csv-parse's error for invalid CSV. */
export async function* csvRecords<Row>(
  content: Uint8Array,
  options: Options,
): AsyncGenerator<Row, void, void> {
  const parser = parse(options);
  // The parser also reports an error to the reader of the records.
  pipeline(Readable.from(portionsOf(content), { highWaterMark: 1 }), parser, () => undefined);
  yield* parser as AsyncIterable<Row>;
}

/** All records of a file; the options must limit their number. */
export async function readCsv<Row>(content: Uint8Array, options: Options): Promise<Row[]> {
  const records: Row[] = [];
  for await (const record of csvRecords<Row>(content, options)) records.push(record);
  return records;
}

/** The content is not UTF-8, or no CSV; the message is the parser's. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
  readonly isUtf8: boolean;

  constructor(message: string, isText: boolean) {
    super(message);
    this.isUtf8 = isText;
  }
}

/**
 * The rows of a table that a person made, the header first. Reads one row more than `maxRows`, so that the
 * caller notices too many; `longestRow`, in characters, stops a row that never ends. @throws UnreadableCsv
 */
export async function readTable(
  content: Uint8Array,
  { maxRows, longestRow }: { readonly maxRows: number; readonly longestRow: number },
): Promise<string[][]> {
  if (!isUtf8(content)) throw new UnreadableCsv('not UTF-8', false);
  try {
    return await readCsv<string[]>(content, {
      bom: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: maxRows + 2,
      max_record_size: longestRow,
    });
  } catch (error) {
    throw new UnreadableCsv(asError(error).message, true);
  }
}

// Parses CSV files in portions and yields to the event loop between them, so that a large file blocks no
// other request.
import { pipeline, Readable } from 'node:stream';
import { parse, type Options } from 'csv-parse';
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

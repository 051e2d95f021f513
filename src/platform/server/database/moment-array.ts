// Lists of moments in PostgreSQL's binary form: neither side writes or reads dates as texts, which costs more than what is done with them.

// https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES; array_recv and timestamptz_recv of its sources.
const timestamptzOid = 1184;
const headBytes = 20;
const epochMs = Date.UTC(2000, 0, 1);
const wordSize = 2 ** 32;

/** A timestamptz[] from moments and nothings; undefined when there is anything else, or a moment too far away for exact arithmetic. */
export function momentArray(values: readonly unknown[]): Buffer | undefined {
  const array = Buffer.allocUnsafe(headBytes + 12 * values.length);
  let at = headBytes;
  let hasNull = 0;
  for (const value of values) {
    if (value === null || value === undefined) {
      hasNull = 1;
      at = array.writeInt32BE(-1, at);
      continue;
    }
    const microseconds = value instanceof Date ? (value.getTime() - epochMs) * 1000 : Number.NaN;
    if (!Number.isSafeInteger(microseconds)) return undefined;
    const high = Math.floor(microseconds / wordSize);
    at = array.writeInt32BE(8, at);
    at = array.writeInt32BE(high, at);
    at = array.writeUInt32BE(microseconds - high * wordSize, at);
  }
  // One dimension, whether there are nothings, what it holds, how many, counted from one.
  for (const [place, word] of [1, hasNull, timestamptzOid, values.length, 1].entries())
    array.writeInt32BE(word, 4 * place);
  return array.subarray(0, at);
}

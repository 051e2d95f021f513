// Serializes lists of moments in PostgreSQL's binary format: formatting and parsing dates as text would cost
// more than the queries themselves.

// https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES; array_recv and
// timestamptz_recv in its sources.
const timestamptzOid = 1184;
const headBytes = 20;
const epochMs = Date.UTC(2000, 0, 1);
const wordSize = 2 ** 32;

/**
 * A binary timestamptz[] from dates and nulls; undefined when there is any other value, or a date too far
 * away for exact arithmetic.
 */
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
  // Header: number of dimensions, null flag, element type, length, lower bound.
  for (const [place, word] of [1, hasNull, timestamptzOid, values.length, 1].entries())
    array.writeInt32BE(word, 4 * place);
  return array.subarray(0, at);
}

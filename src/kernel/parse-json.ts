// Parses JSON texts that may be anything: what a client, another system or the browser's storage returned.

/** The value of a JSON text; undefined, which no JSON text stands for, when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller decides what an unreadable text means.
    return undefined;
  }
}

/** A JSON text indented for reading; any other text unchanged. */
export function indentedJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

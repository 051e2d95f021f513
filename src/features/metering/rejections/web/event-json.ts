// An event's JSON as displayed and typed.

/** Parses a text as JSON, or returns why it cannot be parsed. */
export function readJson(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Formats JSON over several lines; text that is not valid JSON stays unchanged. */
export function shownJson(text: string): string {
  const read = readJson(text);
  return 'value' in read ? JSON.stringify(read.value, null, 2) : text;
}

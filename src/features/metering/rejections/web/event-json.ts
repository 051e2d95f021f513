// An event's JSON as it is shown and typed.

/** Parses a text as JSON, or answers why it cannot be parsed. */
export function readJson(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON over several lines; a text that is not valid JSON stays as it is. */
export function shownJson(text: string): string {
  const read = readJson(text);
  return 'value' in read ? JSON.stringify(read.value, null, 2) : text;
}

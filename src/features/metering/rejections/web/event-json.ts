// An event's JSON as typed.

/** Parses a text as JSON, or returns why it cannot be parsed. */
export function readJson(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

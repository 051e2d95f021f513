// Reading what providers answer: plain data of unknown shape, in which the same field is a number today and a text tomorrow.
export type Answer = Readonly<Record<string, unknown>>;

/** Whether a value is an object with names. */
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object in a text; undefined when it is none. */
export function answerIn(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAnswer(value) ? value : undefined;
  } catch {
    // Whoever asks decides what an unreadable answer means.
    return undefined;
  }
}

/** A field as text, trimmed; empty when it is missing. */
export function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

// Sentences with named places: the same `{{name}}` syntax that the browser's i18next uses.

/** A flat table of sentences: dotted key to text with `{{name}}` places. */
export type Texts = Readonly<Record<string, string>>;
export type TextParams = Readonly<Record<string, string | number | bigint>>;

/** Puts the parameters into their places. A place without a parameter stays visible, so that a test sees it. */
export function interpolate(text: string, params: TextParams = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : place,
  );
}

// What the renderer asks of a font over and over, answered once: a bill says the same units, prices and kinds on every line.

/** What of a font is asked so often; fontkit has more of it, and no types. */
type Setter = { layout: (...asked: readonly unknown[]) => GlyphRun; readonly name: { readonly records: object } };
type GlyphRun = { readonly glyphs: readonly object[]; readonly positions: readonly object[] };

// What some hundreds of bills say between them; then it begins anew.
const mostKept = 4000;

function isSetter(font: object): font is Setter {
  return 'layout' in font && typeof font.layout === 'function' && 'name' in font && typeof font.name === 'object' && font.name !== null && 'records' in font.name;
}

/**
 * Lets a font keep how it has set each text. What is handed out is a copy, since the renderer may change what it was given: a document's
 * bytes do not depend on what was drawn before it. Throws when it is no font that sets texts.
 */
export function makeQuicker(font: object): void {
  if (!isSetter(font)) throw new Error('a font that cannot set texts');
  const set = font.layout.bind(font);
  const kept = new Map<string, GlyphRun>();
  font.layout = (...asked) => {
    const key = JSON.stringify(asked);
    const run = kept.get(key) ?? set(...asked);
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, run);
    return { ...run, glyphs: [...run.glyphs], positions: run.positions.map((position) => ({ ...position })) };
  };
  // For every run of text it draws, the renderer compares all names of its fonts as JSON. Their checksums, which it compares before, say as much.
  Object.defineProperty(font.name.records, 'toJSON', { value: () => 1 });
}

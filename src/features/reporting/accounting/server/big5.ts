// Big5 as browsers and Windows write it (WHATWG Encoding Standard, "Big5"): made from the platform's own decoder, so that no table is kept here.

// The extension for Hong Kong lies around these: programs in Taiwan do not read it.
const [firstLead, lastLead] = [0xa1, 0xf9];
const trails = [
  ...Array.from({ length: 0x7e - 0x40 + 1 }, (_, index) => 0x40 + index),
  ...Array.from({ length: 0xfe - 0xa1 + 1 }, (_, index) => 0xa1 + index),
];
// Of these, which Big5 has twice, the later one is written (WHATWG, "index Big5 pointer").
const later = new Set(
  [0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345].map((point) => String.fromCodePoint(point)),
);

function makeTable(): ReadonlyMap<string, readonly [number, number]> {
  const decoder = new TextDecoder('big5', { fatal: true });
  const table = new Map<string, readonly [number, number]>();
  for (let lead = firstLead; lead <= lastLead; lead++)
    for (const trail of trails) {
      const bytes = [lead, trail] as const;
      const letter = decoded(() => decoder.decode(Uint8Array.from(bytes)));
      if (letter !== undefined && (!table.has(letter) || later.has(letter))) table.set(letter, bytes);
    }
  return table;
}
function decoded(decode: () => string): string | undefined {
  try {
    return decode();
  } catch (error) {
    // Pairs that stand for nothing.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

let made: ReadonlyMap<string, readonly [number, number]> | undefined;
const table = () => (made ??= makeTable());

/** The characters of texts that Big5 does not have, each once. */
export function notInBig5(texts: Iterable<string>): string[] {
  const missing = new Set<string>();
  for (const text of texts)
    for (const letter of text) if (letter > '\u007f' && !table().has(letter)) missing.add(letter);
  return [...missing];
}

/** A text in Big5. Throws for a character that it does not have: see {@link notInBig5}. */
export function big5Of(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of text) {
    if (letter <= '\u007f') {
      bytes.push(letter.charCodeAt(0));
      continue;
    }
    const pair = table().get(letter);
    if (!pair) throw new RangeError(`Big5 has no ${letter}`);
    bytes.push(...pair);
  }
  return Uint8Array.from(bytes);
}

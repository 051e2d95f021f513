// Big5 as browsers and Windows encode it (WHATWG Encoding Standard, "Big5"): derived from the platform's own
// decoder, so that no table is needed here.

// Codes outside this range are the Hong Kong extension, which programs in Taiwan do not read.
const [firstLead, lastLead] = [0xa1, 0xf9];
const trails = [
  ...Array.from({ length: 0x7e - 0x40 + 1 }, (_, index) => 0x40 + index),
  ...Array.from({ length: 0xfe - 0xa1 + 1 }, (_, index) => 0xa1 + index),
];
// Big5 contains these characters twice; the later code is used (WHATWG, "index Big5 pointer").
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
    // A pair without a character.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

let made: ReadonlyMap<string, readonly [number, number]> | undefined;
const table = () => (made ??= makeTable());

/** Returns the distinct characters of some texts that Big5 cannot encode. */
export function notInBig5(texts: Iterable<string>): string[] {
  const missing = new Set<string>();
  for (const text of texts)
    for (const letter of text) if (letter > '\u007f' && !table().has(letter)) missing.add(letter);
  return [...missing];
}

/** Encodes a text in Big5. Throws for a character that Big5 cannot encode: see {@link notInBig5}. */
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

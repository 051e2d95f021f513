// Names that nobody else has.

/**
 * 128 random bits as 32 hexadecimal digits. Unlike `crypto.randomUUID` it works on pages that came over plain http, as a
 * console does that is tried out within a network of one's own.
 */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

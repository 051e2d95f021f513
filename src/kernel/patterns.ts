// Patterns and limits of texts.

/** The longest address that e-mail allows (RFC 5321). */
export const longestEmail = 254;
/** Text without control characters, except tabs and line ends. */
// eslint-disable-next-line no-control-regex
export const printablePattern = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
/**
 * The longest password accepted, in characters and in bytes: hashing longer ones would let any visitor burden
 * the server.
 */
export const longestPassword = 1024;

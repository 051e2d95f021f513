// Text patterns and limits.

/** The maximum length of an e-mail address (RFC 5321). */
export const longestEmail = 254;
/** Text without control characters, except tabs and line breaks. */
// eslint-disable-next-line no-control-regex
export const printablePattern = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
/**
 * The maximum password length, in characters and in bytes: hashing longer ones would let any visitor overload
 * the server.
 */
export const longestPassword = 1024;

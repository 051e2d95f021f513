// What texts must look like.

/** The longest address that mail knows. */
export const longestEmail = 254;
/** Text without control characters, except tabs and line ends. */
// eslint-disable-next-line no-control-regex
export const printablePattern = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/;
/** The longest password that is taken, in characters as they are typed and in bytes: hashing more would be work for whoever sends it. */
export const longestPassword = 1024;

// Batched reads: path and limit, for the server and the browser.

/**
 * The path below /api that answers several reads; each `get` is a path with its query. At most {@link
 * maxBatchedReads}.
 */
export const batchReadsPath = '/together';
export const maxBatchedReads = 12;

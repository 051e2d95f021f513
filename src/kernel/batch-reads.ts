// Batched reads: the path and the limit, shared by server and browser.

/**
 * The path below /api that answers several reads. Each `get` parameter is a path with its query; at most
 * {@link maxBatchedReads} of them.
 */
export const batchReadsPath = '/together';
export const maxBatchedReads = 12;

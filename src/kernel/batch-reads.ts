// Reads that travel together: the words that both sides of it use.

/** Where several reads are one call, below /api: each `get` is a path with its query. At most {@link maxBatchedReads}. */
export const batchReadsPath = '/together';
export const maxBatchedReads = 12;

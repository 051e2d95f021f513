// Resale's public API on the server: who sells to whom, and at which mark-ups.
export {
  isResoldSince,
  resaleOf,
  resaleSpans,
  resellersById,
  sellersOf,
  type Resale,
  type ResellerTerms,
} from './store.ts';

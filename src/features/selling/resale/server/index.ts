// The public API of resale on the server: who sells to whom, and at which mark-ups.
export {
  logoById,
  markHostVerified,
  putBrand,
  putHost,
  putLogo,
  resellerBrands,
  storedBrand,
} from './store-brands.ts';
export {
  organizationsEverResold,
  isResoldSince,
  resaleOf,
  resaleSpans,
  resellersById,
  sellersOf,
  type Resale,
  type ResellerTerms,
} from './store.ts';

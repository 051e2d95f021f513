// The title of a brand.

/** Company prefix and system name as one title. */
export function brandTitle(brand: { readonly companyPrefix: string; readonly name: string }): string {
  return [brand.companyPrefix, brand.name].filter((part) => part !== '').join(' ');
}

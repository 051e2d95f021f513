// Rules of brands: which host names a reseller may have. Their colors follow the kernel's rule for accents.

/** Why a name cannot be a reseller's own host; undefined if it can. `main`: the console's own host name. */
export function hostMistake(
  host: string | undefined,
  main: string,
): 'resellers.host_wrong' | 'resellers.host_main' | undefined {
  if (host === undefined) return 'resellers.host_wrong';
  return host === main ? 'resellers.host_main' : undefined;
}

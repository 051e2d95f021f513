// Addresses under resellers' own host names.
import type { Brand } from './brands.ts';
import type { App } from './ctx.ts';

/** The console's address under a brand's own host name, with the console's scheme and port. */
export function brandAddress(app: App, host: string | null): string {
  if (host === null) return app.address();
  const url = new URL(app.address());
  url.hostname = host;
  return url.origin;
}

/** The host name of a request's Host header, without port, in lower case; undefined when it is invalid. */
export const hostNameOf = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;

/** The brand whose host name a request was sent to; undefined at the console's own address. */
export async function brandAtHost(app: App, host: string): Promise<Brand | undefined> {
  const name = hostNameOf(host);
  if (name === undefined || name === new URL(app.address()).hostname) return undefined;
  return app.brands.ofHost(app.database.kysely, name);
}

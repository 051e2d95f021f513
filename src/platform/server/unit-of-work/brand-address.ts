// Addresses under the own host names of those who sell to customers of their own.
import type { Brand } from './brands.ts';
import type { App } from './ctx.ts';

/** The console's address under a brand's own host name: scheme and port are those of the console. */
export function brandAddress(app: App, host: string | null): string {
  if (host === null) return app.address();
  const url = new URL(app.address());
  url.hostname = host;
  return url.origin;
}

/** The host name of a request's Host header, without its port, in lower case; undefined when it is none. */
export const hostNameOf = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;

/** The brand at whose own host name a request arrived; undefined at the console's own address. */
export async function brandAtHost(app: App, host: string): Promise<Brand | undefined> {
  const name = hostNameOf(host);
  if (name === undefined || name === new URL(app.address()).hostname) return undefined;
  return app.brands.ofHost(app.database.kysely, name);
}

// Looks TXT records up, at the operator's DNS servers or at those of the machine.
import { Resolver } from 'node:dns/promises';
import { hasCode } from '#platform/server/system-error.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

const timeoutMs = 3000;

/** The texts of a name's TXT records; none when it has none. Undefined when no server answers. */
export async function txtRecords(app: App, name: string): Promise<readonly string[] | undefined> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  const { dnsServers } = app.config;
  if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
  try {
    // A text longer than 255 bytes comes in pieces.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  } catch (error) {
    if (hasCode(error, 'ENOTFOUND', 'ENODATA')) return [];
    app.log.warn({ err: error, name }, 'a TXT record could not be looked up');
    return undefined;
  }
}

// Looks up TXT records, at the operator's DNS servers or at those of the machine.
import { Resolver } from 'node:dns/promises';
import { domainError } from '#kernel/errors.ts';
import { areCallsClosed } from '#platform/server/outbound/closed-calls.ts';
import { hasCode } from '#platform/server/system-error.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { providersErrors } from '../contract.ts';

const timeoutMs = 3000;

/**
 * Returns the texts of a name's TXT records; none when it has none. Undefined when no server answers.
 * @throws DomainError `providers.dns_sandbox` in a sandbox: a lookup alone reveals the name to others
 */
export async function txtRecords(app: App, name: string): Promise<readonly string[] | undefined> {
  if (areCallsClosed()) throw domainError(providersErrors, 'providers.dns_sandbox');
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  const { dnsServers } = app.config;
  if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
  try {
    // A text longer than 255 bytes is split into several strings.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  } catch (error) {
    if (hasCode(error, 'ENOTFOUND', 'ENODATA')) return [];
    app.log.warn({ err: error, name }, 'a TXT record could not be looked up');
    return undefined;
  }
}

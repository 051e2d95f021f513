// Fills a new sandbox: its settings, an Admin, two API keys, and optionally a copy of the catalog.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { permissions } from '#kernel/permissions.ts';
import type { OpenSandbox } from '#platform/server/sandbox-host.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identity } from '#features/access/identity/contract.ts';
import { randomSecret } from '#features/access/identity/server/index.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { exportCatalogue } from '#features/selling/catalogue/server/index.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { getSettings, setupToken } from '#features/operations/administration/server/index.ts';

export type Beginning = {
  readonly basic: In<typeof administration.initialize>['basic'];
  /** The catalog in its file format, as JSON; undefined when it is not copied. */
  readonly catalogue: object | undefined;
};
export type Keys = { readonly key: string; readonly meteringKey: string };

/** Collects what a sandbox copies from the console. */
export async function beginningOf(ctx: Ctx, copiesCatalogue: boolean): Promise<Beginning> {
  const { name, companyPrefix, currency, timeZone, language, taxRate } = await getSettings(ctx);
  return {
    basic: { name, companyPrefix, currency, timeZone, language, taxRate },
    catalogue: copiesCatalogue ? await catalogueToCopy(ctx) : undefined,
  };
}

/**
 * A service without a reference gets its id in the console as its reference, because the sandbox generates
 * its own ids.
 */
async function catalogueToCopy(ctx: Ctx): Promise<object> {
  const file = await exportCatalogue(ctx);
  return z.encode(catalogue.exportCatalogue.output, {
    ...file,
    services: file.services.map(({ id, ...service }) =>
      id === undefined ? service : { ...service, ref: id },
    ),
  });
}

const Token = z.object({ token: z.string() });
const Secret = z.object({ secret: z.string() });
const Plan = z.object({ planId: z.string() });

/** Sets a new sandbox up through its own API, as a person would. */
export async function fill(sandbox: OpenSandbox<App>, beginning: Beginning): Promise<Keys> {
  const { token } = z.parse(
    Token,
    await sandbox.call({
      method: 'POST',
      path: administration.initialize.path,
      body: {
        setupToken: setupToken(sandbox.app),
        basic: beginning.basic,
        // Nobody signs in with it: the password is not kept.
        admin: { account: 'admin@sandbox.example', name: 'Sandbox', password: randomSecret() },
      },
    }),
  );
  const make = async (body: object): Promise<string> =>
    z.parse(
      Secret,
      await sandbox.call({ method: 'POST', path: identity.createApiKey.path, bearer: token, body }),
    ).secret;
  if (beginning.catalogue) {
    const file = beginning.catalogue;
    const at = { method: 'POST', bearer: token } as const;
    const { planId } = z.parse(
      Plan,
      await sandbox.call({ ...at, path: catalogue.planCatalogue.path, body: { file } }),
    );
    await sandbox.call({ ...at, path: catalogue.applyCatalogue.path, body: { file, planId } });
  }
  return {
    key: await make({ name: 'Sandbox', scope: 'permissions', permissions, irreversible: true }),
    meteringKey: await make({ name: 'Usage' }),
  };
}

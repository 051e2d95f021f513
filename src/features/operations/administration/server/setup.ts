// The set-up of the console, possible only once: the brand and the first Admin.
import { timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { isTimeZone } from '#kernel/time.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { lockUntilEnd, unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { hasMail } from '#platform/server/mail/mail.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import { version } from '#platform/server/version.ts';
import {
  addUser,
  checkPassword,
  hashPassword,
  hasAdmin,
  startSession,
} from '#features/access/identity/server/index.ts';
import { hasCompanySignIn } from '#features/access/providers/server/index.ts';
import { beginAttempt } from '#features/access/signin/server/index.ts';
import type { SignedIn } from '#features/access/identity/contract.ts';
import { administrationErrors, type administration } from '../contract.ts';
import type { SystemStatus } from '../contract-system.ts';
import { seenAtHost } from './seen-as.ts';
import { getSettings, store } from './settings.ts';

/** The one-time token that opens the set-up: the operator's own, or the one created at the first start. */
export function setupToken(app: App): string {
  return app.config.setupToken ?? app.secrets.setupToken;
}

// Digests have equal lengths, so the comparison takes the same time for any input.
const isToken = (app: App, given: string): boolean => timingSafeEqual(sha256(given), sha256(setupToken(app)));

/** Returns whether the console is set up, its name and its sign-in methods. */
export async function systemStatus(ctx: Ctx, _input: object, { host }: Reply): Promise<SystemStatus> {
  const { currency, timeZone, language } = await getSettings(ctx);
  const { isOwnHost, ...seen } = await seenAtHost(ctx, host);
  return {
    initialized: await hasAdmin(ctx.db),
    ...seen,
    mainAddress: isOwnHost ? ctx.app.address() : null,
    version,
    currency,
    timeZone,
    language,
    signIn: {
      password: true,
      // Providers redirect people to the console's own address.
      google: !isOwnHost && ctx.app.config.google !== undefined,
      oidc: !isOwnHost && ctx.app.config.oidc !== undefined,
      company: !isOwnHost && (await hasCompanySignIn(ctx.db)),
      passwordReset: hasMail(ctx.app.config),
    },
  };
}

/**
 * Throws when the console is set up already or the token is wrong. Attempts are counted and limited like
 * password attempts.
 */
async function assertSetupOpen(ctx: Ctx, token: string, address: string): Promise<void> {
  if (await hasAdmin(ctx.db)) throw domainError(administrationErrors, 'administration.already_initialized');
  const attempt = await beginAttempt(ctx.app, { address });
  if (!isToken(ctx.app, token)) {
    await attempt.failed();
    throw domainError(administrationErrors, 'administration.setup_token_wrong');
  }
  await attempt.good();
}

const wantedFreeBytes = 1024 ** 3;

/** Checks the token and the environment before the operator enters anything. */
export async function checkSetupToken(
  ctx: Ctx,
  input: In<typeof administration.checkSetupToken>,
  reply: Reply,
): Promise<Out<typeof administration.checkSetupToken>> {
  await assertSetupOpen(ctx, input.setupToken, reply.address);
  const disk = await statfs(ctx.app.config.dataDir);
  const free = disk.bavail * disk.bsize;
  return {
    checks: [
      { name: 'database', ok: true, detail: ctx.app.config.databaseUrl ? 'external' : 'embedded' },
      { name: 'disk', ok: free > wantedFreeBytes, detail: `${Math.floor(free / 1024 ** 3)} GB` },
      {
        name: 'address',
        ok: ctx.app.config.publicUrl !== undefined,
        detail: ctx.app.config.publicUrl ?? `http://${ctx.app.config.host}:${ctx.app.config.port}`,
      },
    ],
  };
}

/**
 * Creates the first Admin and the brand, and signs the Admin in. Of several concurrent calls, exactly one
 * succeeds.
 */
export async function initialize(
  ctx: Ctx,
  input: In<typeof administration.initialize>,
  reply: Reply,
): Promise<SignedIn> {
  await assertSetupOpen(ctx, input.setupToken, reply.address);
  if (!isTimeZone(input.basic.timeZone))
    throw domainError(administrationErrors, 'administration.time_zone_unknown');
  await checkPassword(ctx, input.admin.password, {
    account: input.admin.account,
    name: input.admin.name,
    field: 'admin.password',
  });
  const passwordHash = await hashPassword(input.admin.password);
  return unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (own) => {
      await lockUntilEnd(own, 'administration.initialize');
      if (await hasAdmin(own.db))
        throw domainError(administrationErrors, 'administration.already_initialized');
      const user = await addUser(own, {
        account: input.admin.account,
        name: input.admin.name,
        phone: '',
        role: 'Admin',
        organizationId: null,
        passwordHash,
        language: input.basic.language,
      });
      await store(own, input.basic);
      own.audit('administration.initialize', user.id, { name: input.basic.name });
      return startSession(own, user, reply);
    },
  );
}

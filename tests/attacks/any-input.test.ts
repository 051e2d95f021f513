// Every call with inputs at the limits of what its schema allows, and with hostile ones: none may end in an
// internal error, and the books hold afterwards.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import { pathNames, type Route } from '#kernel/contract.ts';
import { minuteMs } from '#kernel/durations.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { grantsContract } from '#app/grants/contract.ts';
import { features } from '#app/features.ts';
import { anyInput, KnownIds } from '../support/any-input.ts';
import { createTestBooks, placeOf, type TestBooks } from '../support/books.ts';
import { adminAccount, signIn } from '../support/console.ts';
import { roundsOr } from '../support/fault-rounds.ts';

/** What would end the callers' own sessions, or keep them from calling anything else. */
const notCalled = new Set([
  'identity.logout',
  'identity.endSession',
  'identity.endOtherSessions',
  'identity.endUserSession',
  'identity.endUserSessions',
  'security.endOpenSession',
  'signin.changePassword',
  'sessionpolicies.setPlatformPolicy',
  'sessionpolicies.setPolicyFor',
  'sessionpolicies.setOwnPolicy',
  'approvals.setApprovals',
  // Consoles of their own, and thousands of rows: their contents have their own tests.
  'sandboxes.createSandbox',
  'administration.importDemo',
]);
const routes: readonly (readonly [string, Route])[] = [
  ...features.map((feature) => [feature.name, feature.contract] as const),
  ['monitoring', monitoring] as const,
  ['console', consoleContract] as const,
  ['grants', grantsContract] as const,
]
  .flatMap(([name, contract]) =>
    Object.entries(contract).map(([verb, route]) => [`${name}.${verb}`, route] as const),
  )
  .filter(([name, { raw }]) => !notCalled.has(name) && raw === undefined);

type Caller = 'Admin' | 'User' | 'key' | 'nobody';
const callerOf = ({ access }: Route): Caller => {
  if (typeof access === 'string') return 'nobody';
  if (access.roles.includes('Admin')) return 'Admin';
  return access.roles.length > 0 ? 'User' : 'key';
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The request of a call with an input of any shape: its path's fields in the address, the rest in the query or the body. */
function requestOf(route: Route, input: unknown): { readonly path: string; readonly body?: string } {
  const inPath = pathNames(route.path);
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
  const valueOf = new Map(Object.entries(fields));
  const path = inPath.reduce<string>(
    (text, name) =>
      text.replace(
        `:${name}`,
        encodeURIComponent(
          textOf(valueOf.get(name) ?? 'x')
            .toWellFormed()
            .slice(0, 300),
        ),
      ),
    route.path,
  );
  const rest = [...valueOf].filter(([name]) => !inPath.includes(name));
  if (route.method !== 'GET' && route.method !== 'DELETE')
    return { path, body: JSON.stringify(fields === input ? Object.fromEntries(rest) : input) };
  const query = new URLSearchParams(
    rest.map(([name, value]): [string, string] => [name, textOf(value).slice(0, 2000)]),
  );
  return { path: rest.length === 0 ? path : `${path}?${query.toString()}` };
}

/** Signs the callers in; a few minutes later than before, so that no limit of attempts stands in the way. */
async function callersOf({ console, tokenOf, customers }: TestBooks): Promise<Record<Caller, string>> {
  console.clock.set(new Date(console.clock.now().getTime() + 20 * minuteMs));
  const admin = await signIn(console, adminAccount.account, adminAccount.password);
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  return { Admin: admin, User: await tokenOf(customers[0]), key: secret, nobody: '' };
}

type Call = { readonly name: string; readonly route: Route; readonly input: unknown };

/** Two calls of every route, in any order; changes that come at once are sent four times each. */
function callsOf(known: KnownIds, atOnce: number): readonly Call[] {
  const [order = []] = fc.sample(
    fc.shuffledSubarray([...routes], { minLength: routes.length, maxLength: routes.length }),
    1,
  );
  return order.flatMap(([name, route]) =>
    fc.sample(anyInput(route.input, known), 2).flatMap((input) =>
      Array.from({ length: route.method === 'GET' || atOnce === 1 ? 1 : 4 }, () => ({
        name,
        route,
        input,
      })),
    ),
  );
}

it('ends in no internal error, one after the other and at once, and the books hold afterwards', async () => {
  const books = await createTestBooks();
  const { console } = books;
  const { items: people } = await console.ok(identity.listUsers, {}, { token: books.admin() });
  // Those who call must be able to go on.
  const known = new KnownIds(people.map(({ id }) => id));
  const failed: string[] = [];
  const send = async ({ name, route, input }: Call, tokens: Record<Caller, string>): Promise<void> => {
    const caller = callerOf(route);
    const { path, body } = requestOf(route, input);
    const answer = await fetch(`${console.address}/api${path}`, {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(caller !== 'nobody' && { authorization: `Bearer ${tokens[caller]}` }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    known.read(text);
    if (answer.status >= 500)
      failed.push(`${answer.status} ${name} ${path} ${body?.slice(0, 1000) ?? ''}\n${text.slice(0, 300)}`);
  };
  for (let round = 0; round < roundsOr(2); round++) {
    const tokens = await callersOf(books);
    const atOnce = round % 2 === 0 ? 1 : 12;
    for (const calls of chunksOf(callsOf(known, atOnce), atOnce))
      await Promise.all(calls.map((call) => send(call, tokens)));
  }
  expect(failed).toEqual([]);
  const { Admin: token } = await callersOf(books);
  await console.ok(billing.closeMonth, { month: '2024-10' as BillingMonth }, { token });
  const verify = resolve(import.meta.dirname, '../../src/app/cli/verify.ts');
  const { stdout, status } = spawnSync(process.execPath, [verify], {
    env: { ...process.env, ...placeOf(console) },
    encoding: 'utf8',
  });
  expect(status, stdout).toBe(0);
}, 600_000);

// Plans the change of each row of a file of users, before anything is written.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { allLanguages } from '#kernel/language.ts';
import { roles } from '#kernel/roles.ts';
import { email, optionalText, text } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { userStatuses } from '#features/access/identity/contract.ts';
import { normalAccount, restoreDays } from '#features/access/identity/rules.ts';
import type { ImportColumn } from '../rules.ts';
import type { FileRow } from './read-file.ts';
import {
  organizationsNamed,
  usersOfAccounts,
  type KnownUser,
  type NamedOrganization,
  type PlannedRow,
  type Wanted,
} from './store-import.ts';

type Problem = { readonly column: ImportColumn | ''; readonly code: string; readonly params: TextParams };
type App = {
  readonly users: ReadonlyMap<string, KnownUser>;
  readonly organizations: ReadonlyMap<string, readonly NamedOrganization[]>;
  readonly ownId: string;
  readonly words: LocalizedValues;
};
type LocalizedValues = Readonly<Record<'role' | 'language' | 'status', ReadonlyMap<string, string>>>;

/** Plans every row. A user is matched by account, so importing a file again changes nothing. */
export async function planImport(ctx: Ctx, rows: readonly FileRow[]): Promise<PlannedRow[]> {
  const accounts = rows.map(({ cells }) => normalAccount(cells.account ?? ''));
  const [known, organizations] = await Promise.all([
    usersOfAccounts(ctx, accounts),
    organizationsNamed(ctx, [
      ...new Set(rows.flatMap(({ cells }) => (cells.organization ? [cells.organization] : []))),
    ]),
  ]);
  const app: App = {
    users: new Map(known.map((user) => [user.account, user])),
    organizations: Map.groupBy(organizations, (one) => one.named),
    ownId: person(ctx).userId,
    words: wordsOf(ctx),
  };
  const first = new Map<string, number>();
  return rows.map((row, index) => {
    const account = accounts[index] ?? '';
    const earlier = first.get(account);
    if (account !== '' && earlier === undefined) first.set(account, row.row);
    return decide(app, row, account, earlier);
  });
}

/** Maps the names of roles, languages and statuses in any language, and their codes. */
function wordsOf(ctx: Ctx): LocalizedValues {
  // used as: 'identity.role_*', 'identity.language_*', 'identity.status_*'
  const named = (kind: 'role' | 'language' | 'status', values: readonly string[]): Map<string, string> =>
    new Map(
      values.flatMap((value) =>
        [value, ...allLanguages().map((language) => ctx.text(`identity.${kind}_${value}`, {}, language))].map(
          (word) => [word.toLowerCase(), value] as const,
        ),
      ),
    );
  return {
    role: named('role', roles),
    language: named('language', allLanguages()),
    status: named('status', userStatuses),
  };
}

function decide(
  { users, organizations, ownId, words }: App,
  { row, cells, isMisshapen }: FileRow,
  account: string,
  earlier: number | undefined,
): PlannedRow {
  const existing = users.get(account);
  const problems: Problem[] = [];
  const addProblem = (column: Problem['column'], code: string, params: TextParams = {}): void =>
    void problems.push({ column, code, params });
  const refusedRow = (): PlannedRow => ({
    row,
    name: (cells.name ?? '').slice(0, 120),
    account: account.slice(0, 254),
    action: 'refused',
    wanted: { account },
    errors: problems,
  });
  if (isMisshapen) addProblem('', 'users.row_cells');
  if (!z.safeParse(email, account).success) addProblem('account', 'users.row_account');
  else if (earlier !== undefined) addProblem('account', 'users.row_repeated', { row: earlier });
  if (existing?.status === 'deleted')
    addProblem('account', 'identity.account_deleted', { name: existing.name, days: restoreDays });
  if (!z.safeParse(text(120), cells.name ?? '').success) addProblem('name', 'users.row_name');
  if (!z.safeParse(optionalText(40), cells.phone ?? '').success) addProblem('phone', 'users.row_phone');
  const word = (column: 'role' | 'language' | 'status'): string | undefined => {
    const typed = cells[column] ?? '';
    const value = words[column].get(typed.toLowerCase());
    if (typed !== '' && value === undefined) addProblem(column, `users.row_${column}`); // used as: 'users.row_*'
    return value;
  };
  const [role, language, status] = [word('role'), word('language'), word('status')];
  const finalRole = role ?? existing?.role ?? 'User';
  const organizationId = organizationOf(
    organizations,
    cells.organization ?? '',
    finalRole,
    existing,
    addProblem,
  );
  if (
    existing?.id === ownId &&
    ((role ?? existing.role) !== existing.role || (status ?? existing.status) !== existing.status)
  )
    addProblem('', 'identity.own_account');
  if (problems.length > 0) return refusedRow();
  const name = cells.name ?? '';
  const wanted: Wanted = {
    account,
    name,
    ...(cells.phone !== undefined && { phone: cells.phone }),
    ...(role !== undefined && { role }),
    ...(language !== undefined && { language }),
    ...(status !== undefined && { status }),
    ...(organizationId !== undefined && { organizationId }),
  };
  const differs =
    existing === undefined ||
    Object.entries(wanted).some(([field, value]) => existing[field as keyof Wanted] !== value);
  return {
    row,
    name,
    account,
    action: !existing ? 'create' : differs ? 'update' : 'unchanged',
    wanted,
    errors: [],
  };
}

/** The organization that a row names, by name, id or the provider's own reference. */
function organizationOf(
  known: App['organizations'],
  named: string,
  role: string,
  existing: KnownUser | undefined,
  addProblem: (column: 'organization', code: string) => void,
): Id<'org'> | undefined {
  if (role === 'Admin') {
    if (named !== '') addProblem('organization', 'users.row_organization_of_admin');
    return undefined;
  }
  if (named === '') {
    if (!existing?.organizationId) addProblem('organization', 'identity.organization_required');
    return undefined;
  }
  const found = known.get(named) ?? [];
  if (found.length !== 1)
    addProblem(
      'organization',
      found.length === 0 ? 'users.row_organization' : 'users.row_organization_twice',
    );
  return found[0]?.id;
}

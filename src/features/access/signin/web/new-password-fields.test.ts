import { expect, it } from 'vitest';
import { newPasswordPair } from '#features/access/identity/web/parts.ts';
import { checkValues } from '#platform/web/form/check-values.ts';
import { newPasswordFields } from './NewPasswordFields.tsx';

const keys = {
  short: 'signin.password_too_short',
  required: 'signin.confirm_required',
  differ: 'signin.passwords_differ',
};

it.each<[password: string, confirm: string]>([
  ['', ''],
  ['short', ''],
  ['short', 'short'],
  ['correct horse', ''],
  ['correct horse', 'correct house'],
  ['correct horse', 'correct horse'],
  ['', 'x'],
  ['x'.repeat(1025), 'x'.repeat(1025)],
])('R-AUTH-01 %j and %j: the same problems as a form with a schema has', (password, confirm) => {
  const values = new Map([
    ['password', password],
    ['confirm', confirm],
  ]);
  const valueOf = (name: string): string => values.get(name) ?? '';
  const found = newPasswordFields(12).flatMap(([name, check]) => {
    const problem = check?.(valueOf(name), valueOf);
    return problem === undefined ? [] : [[name, problem]];
  });
  const result = checkValues(newPasswordPair({}, keys, 12), { password, confirm });
  expect(Object.fromEntries(found)).toEqual(result.ok ? {} : Object.fromEntries(result.problems));
});

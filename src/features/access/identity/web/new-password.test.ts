import { describe, expect, it } from 'vitest';
import { problemsOf } from '#platform/web/form/test-problems.ts';
import { text } from '#kernel/shape.ts';
import { newPasswordPair } from './new-password.ts';

const schema = newPasswordPair(
  { name: text(9) },
  {
    short: 'identity.password_too_short',
    required: 'identity.confirm_required',
    differ: 'identity.passwords_differ',
  },
);
const problems = (values: object) => {
  return problemsOf(schema, { name: 'First', ...values }) ?? 'fine';
};

describe('R-AUTH-01 entering a new password twice', () => {
  it.each<[object, unknown]>([
    [{ password: 'correct horse', confirm: 'correct horse' }, 'fine'],
    [
      { password: '', confirm: '' },
      { password: 'form.required', confirm: 'identity.confirm_required' },
    ],
    [
      { password: 'short', confirm: '' },
      { password: 'identity.password_too_short?minimum=12', confirm: 'identity.confirm_required' },
    ],
    [{ password: 'correct horse', confirm: 'correct house' }, { confirm: 'identity.passwords_differ' }],
    [
      { name: '', password: 'correct horse', confirm: 'x' },
      { name: 'form.required', confirm: 'identity.passwords_differ' },
    ],
  ])('%j', (values, expected) => {
    expect(problems(values)).toEqual(expected);
  });
});

// The form fields of a user for an Admin, and rules that involve several fields.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { longestPassword } from '#kernel/patterns.ts';
import { email, optionalText, role, text } from '#kernel/shape.ts';
import { problem } from '#platform/web/form/problems.ts';
import { minimumPasswordLength, isPasswordLongEnough } from '../rules.ts';
import { userStatuses } from '../contract.ts';

/** A selected organization, or none. */
export const chosenOrganization = z.nullable(
  z.strictObject({ id: z.custom<Id<'org'>>((value) => typeof value === 'string'), name: z.string() }),
);
/** For a form in which it is required. */
export const requiredOrganization = chosenOrganization.check(
  z.refine((chosen) => chosen !== null, problem('form.required')),
);
const common = { name: text(120), phone: optionalText(40), role, organization: chosenOrganization };

/** Every role except Admin belongs to an organization. */
const needsOrganization = (context: z.core.ParsePayload<{ role: string; organization: unknown }>): void => {
  const { value } = context;
  if (value.role !== 'Admin' && value.organization === null)
    context.issues.push({
      code: 'custom',
      input: null,
      path: ['organization'],
      message: 'identity.organization_required',
    });
};

export const passwordWays = ['generated', 'own'] as const;

export const newUserFields = z
  .strictObject({
    ...common,
    account: email,
    passwordWay: z.enum(passwordWays),
    password: z.string().check(z.maxLength(longestPassword)),
  })
  .check(needsOrganization, (context) => {
    const { passwordWay, password } = context.value;
    if (passwordWay === 'own' && !isPasswordLongEnough(password))
      context.issues.push({
        code: 'custom',
        input: password,
        path: ['password'],
        message: `identity.password_too_short?minimum=${minimumPasswordLength}`,
      });
  });

export const changedUserFields = z
  .strictObject({ ...common, status: z.enum(userStatuses) })
  .check(needsOrganization);

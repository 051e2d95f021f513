// The three messages of R-USE-02 verbatim, each for its own kind of failure.
import { describe, expect, test } from 'vitest';
import { ApiError } from '#platform/web/api/api-error.ts';
import { enUS } from '../../locales/console/enUS.ts';
import { dashboardProblem } from './dashboard-problem.ts';

const user = { organizationId: 'org_1' };
const failed = (status: number, code: string) => new ApiError({ status, code, message: '' });
const words = (...given: Parameters<typeof dashboardProblem>) => {
  const key = dashboardProblem(...given);
  return key && enUS[key];
};

describe('R-USE-02: the error message of the billing dashboard', () => {
  test.each([
    ['no user', null, null],
    ['a user without an organization', { organizationId: null }, null],
    ['an organization unknown to the server', user, failed(403, 'platform.no_organization')],
  ])('user info: %s', (_why, who, error) => {
    expect(words(who, error)).toBe('User info incomplete. Unable to load dashboard.');
  });

  test.each([
    ['no answer', failed(0, 'connection.lost')],
    ['too late', failed(0, 'connection.timed_out')],
    ['a fault', failed(500, 'platform.fault')],
    ['too many', failed(429, 'platform.too_many_requests')],
  ])('load: %s', (_why, error) => {
    expect(words(user, error)).toBe('Load failed. Please try again later.');
  });

  test('data: an unreadable response', () => {
    expect(words(user, failed(200, 'connection.unreadable'))).toBe('Data load error. Please contact admin.');
  });

  test('no error', () => {
    expect(words(user, null)).toBeUndefined();
  });
});

// The page that is offered for a path without one.
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const pages = [
  '/user/dashboard',
  '/billing/management',
  '/admin/billing',
  '/admin/einvoices',
  '/admin/service-management',
  '/admin/user-management',
].map((path) => ({ path }));

describe('R-SHELL-01 the page that a mistyped path probably meant', () => {
  it.each([
    ['/admin/services', '/admin/service-management'],
    ['/admin/users', '/admin/user-management'],
    ['/Management/Billing', '/billing/management'],
    ['/admin/biling', '/admin/billing'],
    ['/user/dashbord', '/user/dashboard'],
  ])('%s is %s', (typed, expected) => {
    expect(nearest(typed, pages)?.path).toBe(expected);
  });

  it.each(['/', '/wp-login.php', '/admin/x/y/z/long/way/off'])('nothing is near %s', (typed) => {
    expect(nearest(typed, pages)).toBeUndefined();
  });
});

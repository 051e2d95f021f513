// Company sign-in in a real browser, against a provider with its own pages: an Admin sets it up, verifies a
// domain, maps a group and tests it; SCIM creates a user, who signs in with the group’s role and is signed
// out when deactivated.
import type { Locator, Page } from '@playwright/test';
import { axeFindings } from '#tests/support/browser/axe.ts';
import { operator as admin, type Journey } from '#tests/support/browser/journey.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { startTestDns, type TestDns } from '#tests/support/dns.ts';
import { startSamlIdp, type SamlIdpServer } from '#tests/support/saml-idp-server.ts';

// The steps run in order and build on each other.
test.describe.configure({ mode: 'serial' });

let journey: Journey;
let server: SamlIdpServer;
let dns: TestDns;
let page: Page;
let pageErrors: string[];
let scim: { address: string; token: string };
let colleague: { page: Page; pageErrors: string[] };

const field = (form: Locator | Page, name: RegExp): Locator => form.getByRole('textbox', { name });
const panel = (name: string): Locator => page.getByRole('dialog', { name });

async function callScim<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${scim.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${scim.token}`, 'content-type': 'application/scim+json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

test.beforeAll(async ({ startJourney }) => {
  [server, dns] = [await startSamlIdp(), await startTestDns()];
  journey = await startJourney({ DNS_SERVERS: dns.address });
  await journey.setUp();
  await journey.register({
    account: 'owner@elsewhere.example',
    password: 'another long passphrase',
    name: '王小明',
    organization: '港灣物流',
  });
  const person = { email: 'mei@harbour.example', nameId: 'mei', name: 'Mei Lin', groups: [] };
  server.people.set('mei', person);
  server.people.set('an', { ...person, email: 'an@harbour.example', nameId: 'an', name: 'An Chen' });
  server.people.set('tester', {
    ...person,
    email: 'it@harbour.example',
    nameId: 'it',
    groups: ['console-users'],
  });
  ({ page, pageErrors } = await journey.person({ elsewhere: [server.origin] }));
  colleague = await journey.person({ elsewhere: [server.origin] });
  await journey.openSession(admin, page);
});
test.afterAll(async () => {
  await journey.end();
  await server.end();
});

test('T-SAML: an Admin adds a provider from its metadata', async () => {
  await page.goto(`${journey.address}/admin/identity-providers`);
  await page.getByRole('heading', { level: 1, name: '公司登入' }).waitFor();
  await page.getByRole('button', { name: '新增身分提供者' }).first().click();
  const form = panel('新增身分提供者');
  await field(form, /^名稱/).fill('港灣');
  await form.getByRole('combobox', { name: /^組織/ }).last().fill('港灣');
  await page.getByRole('option', { name: /港灣物流/ }).click();
  await field(form, /^提供者的中繼資料/).fill('<nothing/>');
  await form.getByRole('button', { name: '讀取中繼資料' }).click();
  await expect(form.getByText('中繼資料裡沒有身分提供者')).toBeVisible();
  await field(form, /^提供者的中繼資料/).fill(server.idp.metadata);
  await form.getByRole('button', { name: '讀取中繼資料' }).click();
  await expect(field(form, /Entity ID/)).toHaveValue(server.idp.entityId);
  await form.getByRole('button', { name: '新增群組' }).click();
  await field(form, /^群組(?!屬性)/).fill('console-users');
  await form.getByRole('button', { name: '新增身分提供者' }).click();
  await panel('港灣').getByText('請在提供者輸入以下內容').waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

test('T-SAML: a domain takes effect once its DNS record is found', async () => {
  const form = panel('港灣');
  await field(form, /^網域/).fill('harbour');
  await form.getByRole('button', { name: '新增網域' }).click();
  await expect(form.getByText('請輸入郵件網域')).toBeVisible();
  await field(form, /^網域/).fill('harbour.example');
  await form.getByRole('button', { name: '新增網域' }).click();
  const value = form.locator('code', { hasText: 'skytally-domain=' });
  await value.waitFor();
  await form.getByRole('button', { name: '驗證網域 harbour.example', exact: true }).click();
  await expect(form.getByText(/找不到 TXT 紀錄/)).toBeVisible();
  dns.texts.set('_skytally.harbour.example', [(await value.textContent()) ?? '']);
  await form.getByRole('button', { name: '驗證網域 harbour.example', exact: true }).click();
  await expect(form.getByText('已驗證', { exact: true })).toBeVisible();
});

test('T-SAML: a test shows the provider’s response, and the Admin stays signed in', async () => {
  await panel('港灣').getByRole('button', { name: '測試登入' }).click();
  await field(page, /^Name/).fill('tester');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(panel('港灣').getByText('it@harbour.example 會以「使用者」登入。')).toBeVisible();
  expect(pageErrors).toEqual([]);
});

test('T-SCIM: the provider creates a user, who signs in with the role of the group', async () => {
  const form = panel('港灣');
  await form.getByRole('button', { name: '建立權杖' }).click();
  const token = form.locator('code', { hasText: 'skytally_scim_' });
  await token.waitFor();
  const address = await form.locator('code', { hasText: '/scim/v2/' }).textContent();
  scim = { address: address ?? '', token: (await token.textContent()) ?? '' };
  const user = await callScim<{ id: string }>('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'mei@harbour.example',
    name: { formatted: '林美' },
  });
  await callScim('POST', '/Groups', { displayName: 'console-users', members: [{ value: user.id }] });

  const own = colleague.page;
  await own.goto(`${journey.address}/login`);
  await own.getByRole('button', { name: '以公司帳號登入' }).click();
  await field(own, /^公司電子郵件/).fill('mei@unknown.example');
  await own.getByRole('button', { name: '繼續' }).click();
  await expect(own.getByText('unknown.example 沒有設定公司登入')).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
  await field(own, /^公司電子郵件/).fill('mei@harbour.example');
  await own.getByRole('button', { name: '繼續' }).click();
  await field(own, /^Name/).fill('mei');
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('button', { name: 'Continue' }).click();
  await own.waitForURL((url) => url.pathname === '/user/dashboard');
  await expect(own.getByRole('button', { name: /林美/ })).toBeVisible();
  expect(own.url()).not.toContain('#');
  // A reload keeps the session: its cookie came with a call of our own page.
  await own.reload();
  await expect(own.getByRole('button', { name: /林美/ })).toBeVisible();
  expect(colleague.pageErrors).toEqual([]);
});

test('T-ROLES: a group assigns a custom role, and its members see only that part of the console', async () => {
  await page.goto(`${journey.address}/admin/permissions`);
  await page.getByRole('button', { name: '建立角色' }).click();
  const roleForm = panel('建立角色');
  await field(roleForm, /^名稱/).fill('帳務助理');
  await roleForm.getByRole('checkbox', { name: '帳務：讀取' }).check();
  await roleForm.getByRole('button', { name: '建立角色' }).click();
  await page.getByText('已建立「帳務助理」。').first().waitFor();
  await page.goto(`${journey.address}/admin/identity-providers`);
  await page.getByRole('button', { name: '港灣', exact: true }).click();
  await panel('港灣').getByRole('button', { name: '編輯' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: '新增群組' }).click();
  await field(form, /^群組(?!屬性)/)
    .last()
    .fill('bookkeepers');
  await form.getByRole('combobox', { name: '角色', exact: true }).last().selectOption({ label: '帳務助理' });
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: '儲存變更', exact: true }).click();
  await page.getByText('已儲存身分提供者。').first().waitFor();
  const user = await callScim<{ id: string }>('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'an@harbour.example',
    name: { formatted: '陳安' },
  });
  await callScim('POST', '/Groups', { displayName: 'bookkeepers', members: [{ value: user.id }] });

  const clerk = await journey.person({ elsewhere: [server.origin] });
  await clerk.page.goto(`${journey.address}/login`);
  await clerk.page.getByRole('button', { name: '以公司帳號登入' }).click();
  await field(clerk.page, /^公司電子郵件/).fill('an@harbour.example');
  await clerk.page.getByRole('button', { name: '繼續' }).click();
  await field(clerk.page, /^Name/).fill('an');
  await clerk.page.getByRole('button', { name: 'Sign in' }).click();
  await clerk.page.getByRole('button', { name: 'Continue' }).click();
  await clerk.page.waitForURL((url) => url.pathname === '/billing/management');
  await clerk.page.getByRole('button', { name: '開啟選單' }).click();
  const menu = clerk.page.getByRole('navigation', { name: '主選單' });
  await menu.getByRole('link', { name: '帳單查詢' }).waitFor();
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(['帳單查詢', '個人資料', '通知']);
  await clerk.page.goto(`${journey.address}/usage/statistics`);
  await clerk.page.getByText('您的角色：帳務助理').waitFor();
  expect(clerk.pageErrors).toEqual([]);
});

test('T-SCIM: deactivated at the provider, the user is signed out immediately and cannot return', async () => {
  const own = colleague.page;
  const { Resources } = await callScim<{ Resources: readonly { id: string }[] }>(
    'GET',
    `/Users?filter=${encodeURIComponent('userName eq "mei@harbour.example"')}`,
  );
  await callScim('PATCH', `/Users/${Resources[0]?.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  });
  await own.waitForURL((url) => url.pathname === '/login');
  await own.getByRole('button', { name: '以公司帳號登入' }).click();
  await field(own, /^公司電子郵件/).fill('mei@harbour.example');
  await own.getByRole('button', { name: '繼續' }).click();
  await field(own, /^Name/).fill('mei');
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByRole('button', { name: 'Continue' }).click();
  await expect(own.getByText('這個帳號無法登入，請聯絡管理員。')).toBeVisible();
  expect(await axeFindings(own)).toEqual([]);
});

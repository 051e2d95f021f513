import { setTheme, comesToRest } from '#tests/support/browser/axe.ts';
import { companyOwner, consumerOwner, einvoiceJourney } from '#tests/support/browser/einvoices.ts';
import { ecpayInvoiceAccount } from '#tests/support/einvoices/ecpay.ts';
import { operator as admin } from '#tests/support/browser/journey.ts';
import { test } from '#tests/support/browser/test.ts';

test('look', async ({ startJourney }) => {
  test.setTimeout(400_000);
  const at = await einvoiceJourney(startJourney);
  const { journey, token } = at;
  const base = { isStage: true, hasB2b: false, companies: 'on_issue', consumers: 'on_issue', consumerHours: 48, companyHours: 168, warnHours: 12, lowPercent: 20 };
  await journey.call('PUT', '/admin/einvoices/settings', { provider: 'turnkey', merchantId: '', ...base }, token);
  const now = new Date(Date.now() + 8 * 3600_000);
  const m = now.getUTCMonth() + 1;
  const period = `${now.getUTCFullYear()}-${String(m - ((m + 1) % 2)).padStart(2, '0')}`;
  await journey.call('POST', '/admin/einvoices/tracks', { period, letters: 'AB', from: '12345600', to: '12345649' }, token);
  const admin1 = await journey.openSession(admin);
  const shots = async (page: typeof admin1, name: string, path: string, then?: () => Promise<void>) => {
    for (const [w, h] of [[1440, 900], [768, 1024], [375, 800]] as const)
      for (const [lang, theme] of [['zhTW', 'light'], ['enUS', 'dark']] as const) {
        await page.setViewportSize({ width: w, height: h });
        await page.evaluate(`localStorage.setItem('language', '${lang}')`);
        await page.goto(`${journey.address}${path}`);
        await setTheme(page, theme);
        await comesToRest(page);
        if (then) { await then(); await comesToRest(page); }
        await page.screenshot({ path: `/tmp/einv/shots/${name}-${w}-${theme}.png`, fullPage: name.startsWith('own') || name.startsWith('settings') || name.startsWith('profile') });
      }
    await page.evaluate(`localStorage.setItem('language', 'zhTW')`);
  };
  await shots(admin1, 'tracks', '/admin/einvoices?view=tracks');
  await journey.call('PUT', '/admin/einvoices/settings', { provider: 'ecpay', ...ecpayInvoiceAccount, ...base }, token);
  at.service.lie('silent after', 'Issue');
  await journey.call('POST', '/admin/billing/close', { month: at.month }, token);
  await shots(admin1, 'settings', '/admin/einvoices?view=settings');
  await admin1.waitForTimeout(25_000);
  await shots(admin1, 'list', '/admin/einvoices');
  const items = (await journey.call<{ items: { id: string; number: string | null; billId: string }[] }>('GET', '/admin/einvoices', undefined, token)).items;
  const done = items.find((one) => one.number !== null)!;
  await journey.call('POST', `/admin/bills/${done.billId}/credit-notes`, { reason: '服務中斷', what: { kind: 'percent', percent: '20' } }, token);
  await admin1.waitForTimeout(15_000);
  await shots(admin1, 'panel', `/admin/einvoices?einvoice=${done.id}`);
  await shots(admin1, 'period', '/admin/einvoices?view=period');
  await shots(admin1, 'bill', `/admin/billing?bill=${done.billId}`, async () => { await admin1.getByText(/^(電子發票|E-invoices)$/).last().scrollIntoViewIfNeeded(); });
  const own = await journey.openSession(companyOwner);
  await shots(own, 'own', `/billing/management?month=${at.month}`);
  await shots(own, 'ownlist', `/billing/management?view=einvoices`);
  const two = await journey.openSession(consumerOwner);
  await shots(two, 'profile', '/user/profile?section=einvoices');
  await journey.end();
  await at.service.close();
});

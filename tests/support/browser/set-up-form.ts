// The set-up as its first administrator does it, through the form.
import type { Page } from '@playwright/test';
import { operator } from './journey.ts';

/** Fills in the three steps of the set-up on a page that shows the first of them; signs the operator in. */
export async function fillSetUpForm(page: Page): Promise<void> {
  await page.getByLabel('系統名稱').fill('雲帳');
  await page.getByRole('button', { name: '下一步' }).click();
  await page.getByLabel('管理員帳號（電子郵件）').fill(operator.account);
  await page.getByLabel('管理員姓名').fill('營運管理員');
  await page.getByLabel(/^密碼/).fill(operator.password);
  await page.getByLabel('確認密碼').fill(operator.password);
  await page.getByRole('button', { name: '完成設定並登入' }).click();
  await page.getByText('設定完成').waitFor();
}

// Operators are notified once when few e-invoice numbers are left (T-EINV).
import { expect, it } from 'vitest';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { addTrack, run, save, startEinvoices } from '../support/einvoices-console.ts';
import { at, close, customer, fee, moveTo, september } from '../support/corrections.ts';

it('T-EINV: operators are notified once when the configured share of numbers is left', async () => {
  await startEinvoices();
  for (let count = 0; count < 5; count++) await customer(fee('100'));
  await moveTo('2024-10-05T03:00:00Z');
  await close(september);
  // Of 50 numbers five are used, and 45 are nine tenths.
  await addTrack('2024-09', '12345600', '12345649');
  await save({ lowPercent: 90 });
  await run();
  await run();
  const { items } = await at.console.ok(notifications.listNotifications, { limit: 100 }, { token: at.admin });
  expect(
    items.map(({ message }) => message).filter((message) => message.includes('numbers are left')),
  ).toEqual(['Only 45 e-invoice numbers are left for the two months from Sep 2024. Add a range soon.']);
});

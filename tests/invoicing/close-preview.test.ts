// The preview of a month close equals the close, even where the close first changes something itself.
import { beforeAll, expect, it } from 'vitest';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import {
  at,
  billOf,
  close,
  customer,
  fee,
  moveTo,
  october,
  september,
  startBilling,
  twd,
} from '../support/corrections.ts';
import { unschedule } from '../support/jobs.ts';
import { closeAsPreviewed } from '../support/previewed.ts';

beforeAll(() => startBilling());

it('T-PREVIEW: deducts monthly credit that the hourly job has not granted yet', async () => {
  await unschedule(at.console.app, 'creditgrants.hourly');
  const one = await customer(fee('1000'));
  await at.console.ok(
    creditgrants.giveGrant,
    {
      organizationId: one.organizationId,
      kind: 'promotional',
      name: { zhTW: '每月額度', enUS: 'Monthly' },
      amount: twd(300),
      recurring: { rollover: false },
    },
    { token: at.admin },
  );
  await moveTo('2024-10-05T12:00:00+08:00');
  await closeAsPreviewed(at.console, at.admin, september, () => close(september));
  await moveTo('2024-11-05T12:00:00+08:00');
  await closeAsPreviewed(at.console, at.admin, october, () => close(october));
  expect((await billOf(one, october)).net).toEqual(twd(700));
});

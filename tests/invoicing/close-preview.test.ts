// The rehearsal of a month close says what the close issues, also where the close itself does something first.
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

it('T-PREVIEW: takes monthly credit off that no hour has given yet', async () => {
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

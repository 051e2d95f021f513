// The bank account for transfers, and the available payment methods.
import type { In, Out } from '#kernel/contract.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { providersOf } from '#features/receivables/gateways/server/index.ts';
import { BankAccount, type payments } from '../contract.ts';
import { paymentUnderWay } from './store.ts';

const bankAccountSetting = setting<BankAccount>('payments.bankAccount', BankAccount, {
  bank: '',
  holder: '',
  account: '',
  note: '',
});

/** Returns the account for transfers; undefined until an Admin has entered one. */
export async function bankAccountOf(ctx: Ctx): Promise<BankAccount | undefined> {
  const account = await ctx.setting(bankAccountSetting);
  return account.account === '' ? undefined : account;
}

export async function bankAccount(ctx: Ctx): Promise<BankAccount> {
  return ctx.setting(bankAccountSetting);
}

export async function setBankAccount(
  ctx: Ctx,
  input: In<typeof payments.setBankAccount>,
): Promise<BankAccount> {
  ctx.audit('payments.setBankAccount', undefined, {
    before: (await bankAccountOf(ctx)) ?? null,
    after: input,
  });
  await storeSetting(ctx.db, bankAccountSetting, input, ctx.now, person(ctx).userId);
  return input;
}

export async function paymentOptions(
  ctx: Ctx,
  { billId }: In<typeof payments.paymentOptions>,
): Promise<Out<typeof payments.paymentOptions>> {
  const offered = providersOf(ctx.app.config);
  return {
    providers: [...offered.keys()],
    ranges: [...offered.values()].flatMap(({ name, range }) => (range ? [{ provider: name, ...range }] : [])),
    bankAccount: (await bankAccountOf(ctx)) ?? null,
    underWay: billId === undefined ? null : await paymentUnderWay(ctx, billId, tenant(ctx)),
  };
}

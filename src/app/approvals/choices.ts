// Which Admin calls can require approval by a second Admin, and what they are about.
import * as z from 'zod/mini';
import { ValidationError } from '#kernel/errors.ts';
import { loadSettings, settingOf } from '#platform/server/unit-of-work/settings.ts';
import type { Choice, Choices } from '#features/access/approvals/server/index.ts';
import { allowAdminSetting } from '#features/access/federation/server/index.ts';
import { isAdmin, isOwnCharge, isQuoteWithoutCredit } from './store.ts';

const Named = z.object({
  userId: z.optional(z.string()),
  role: z.optional(z.string()),
  providerAllowsAdmin: z.optional(z.boolean()),
});

/** Whether a call makes somebody an Admin, or is about one; calls about anybody else need no approval. */
async function concernsAdmin(
  app: Parameters<NonNullable<Choices['admins']['concerns']>>[0],
  call: string,
  input: unknown,
): Promise<boolean> {
  // These calls name many people, by a filter or a file.
  if (call.startsWith('users.') && call !== 'users.deleteUser') return true;
  if (call.startsWith('customroles.')) return true;
  const { userId, role, providerAllowsAdmin } = z.parse(Named, input);
  // An identity provider may make anybody an Admin once this is allowed.
  if (providerAllowsAdmin === true)
    return !settingOf(await loadSettings(app.database.kysely), allowAdminSetting);
  return role === 'Admin' || (userId !== undefined && (await isAdmin(app.database.kysely, userId)));
}

type Concerns = NonNullable<Choice['concerns']>;
const OneOffNamed = z.object({ oneOffId: z.string() });
const QuoteNamed = z.object({ quoteId: z.string(), revision: z.optional(z.int()) });

/** A one-off charge that an Admin created may be withdrawn by one; withdrawing a late fee waives it. */
const concernsReceivable: Concerns = async (app, call, input) =>
  call !== 'oneoffs.withdrawOneOff' ||
  !(await isOwnCharge(app.database.kysely, z.parse(OneOffNamed, input).oneOffId));

/**
 * An accepted quote gives the credit in it, on behalf of whoever sent it. The request has to name the revision:
 * otherwise the quote could be edited after the request, and what is sent would not be what was approved.
 */
const concernsCredit: Concerns = async (app, call, input) => {
  if (call !== 'quotes.sendQuote') return true;
  const { quoteId, revision } = z.parse(QuoteNamed, input);
  if (await isQuoteWithoutCredit(app.database.kysely, quoteId)) return false;
  if (revision === undefined)
    throw new ValidationError([{ field: 'revision', code: 'platform.field_required' }]);
  return true;
};

/** The calls (feature.verb) of each choice, including other calls with the same effect; a call can be in several. */
export const choices: Choices = {
  void_bill: { calls: ['credits.voidBill', 'credits.reissueBill'] },
  credit_note: { calls: ['credits.issueCredit'] },
  refund: { calls: ['payments.refundPayment', 'payments.settleRefund', 'payments.settleRefused'] },
  waiver: {
    calls: [
      'latefees.waiveLateFee',
      'oneoffs.withdrawOneOff',
      'payments.recordWithholding',
      'dunning.exemptOrganization',
    ],
    concerns: concernsReceivable,
  },
  payment_by_hand: {
    calls: ['payments.confirmPayment', 'banking.applyRow', 'banking.applyCertain', 'banking.undoRow'],
  },
  credit: {
    calls: [
      'creditgrants.giveGrant',
      'creditgrants.withdrawGrant',
      'creditlimits.setCreditLimit',
      'creditlimits.removeCreditLimit',
      'quotes.sendQuote',
    ],
    concerns: concernsCredit,
  },
  prices: {
    calls: [
      'catalogue.createService',
      'catalogue.updateService',
      'catalogue.withdrawPrice',
      'catalogue.addOverride',
      'catalogue.endOverride',
      'catalogue.batchServices',
      'catalogue.importServices',
      'catalogue.applyCatalogue',
      'costs.createResoldCloud',
    ],
  },
  catalogue: { calls: ['catalogue.applyCatalogue'] },
  close_month: { calls: ['billing.closeMonth'] },
  bank_account: { calls: ['payments.setBankAccount'] },
  journal: { calls: ['accounting.withdrawJournal'] },
  backups: { calls: ['backups.deleteBackup', 'backups.saveBackupPlan', 'backups.revealRecoveryKey'] },
  erasure: { calls: ['personaldata.startErasure'] },
  admins: {
    calls: [
      'identity.createUser',
      'identity.updateUser',
      'users.deleteUser',
      'users.startBatch',
      'users.undoBatch',
      'users.retryBatch',
      'users.startImport',
      'signin.resetForUser',
      'signin.removeFactors',
      'customroles.createRole',
      'customroles.updateRole',
      'customroles.deleteRole',
      'administration.updateSettings',
    ],
    concerns: concernsAdmin,
  },
  api_keys: { calls: ['identity.createApiKey', 'identity.rotateApiKey', 'devices.confirmDevice'] },
  sign_in: {
    calls: [
      'providers.createProvider',
      'providers.updateProvider',
      'providers.deleteProvider',
      'providers.makeScimToken',
    ],
  },
  approvals: { calls: ['approvals.setApprovals'] },
};

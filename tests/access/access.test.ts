// Which caller may call what: every route with every kind of caller, against a table written by hand,
// independent of the contracts.
import { beforeAll, describe, expect, it } from 'vitest';
import { pathNames, type Route } from '#kernel/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { grantsContract } from '#app/grants/contract.ts';
import { features } from '#app/features.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

/**
 * A Admin, U User, R ReadOnly, M an API key for metering, K an organization's API key for reading, *
 * everyone, c only the session cookie. All other callers are refused: with 401 without a session and for
 * deactivated users, with 403 for the wrong role. A User of another organization may call the same routes;
 * attacks/access.test.ts checks them with foreign ids.
 */
const table: Record<string, string> = {
  'signin.login': '*',
  'signin.register': '*',
  'identity.logout': 'c',
  'identity.session': 'c',
  'signin.passwordRules': '*',
  'signin.verifyEmail': '*',
  'signin.askReset': '*',
  'signin.resetPassword': '*',
  'signin.passkeyLoginOptions': '*',
  'signin.passkeyLogin': '*',
  'signin.resetForUser': 'A',
  'signin.removeFactors': 'A',
  'signin.twoFactor': 'AU',
  'signin.startTwoFactor': 'AU',
  'signin.confirmTwoFactor': 'AU',
  'signin.removeTwoFactor': 'AU',
  'signin.renewRecoveryCodes': 'AU',
  'signin.listPasskeys': 'AU',
  'signin.passkeyOptions': 'AU',
  'signin.addPasskey': 'AU',
  'signin.renamePasskey': 'AU',
  'signin.removePasskey': 'AU',
  'identity.profile': 'AUR',
  'identity.updateProfile': 'AU',
  'signin.changePassword': 'AU',
  'signin.reauthenticate': 'AUR',
  'identity.sessions': 'AUR',
  'identity.endSession': 'AUR',
  'identity.endOtherSessions': 'AUR',
  'identity.setAvatar': 'AU',
  'identity.removeAvatar': 'AU',
  'identity.avatar': 'AUR',
  'identity.savedViews': 'AUR',
  'identity.saveView': 'AUR',
  'identity.changeView': 'AUR',
  'identity.deleteView': 'AUR',
  'identity.organization': 'URK',
  'identity.updateOrganization': 'U',
  'identity.members': 'UR',
  'identity.updateMember': 'U',
  'identity.invitations': 'U',
  'identity.invite': 'U',
  'identity.resendInvitation': 'U',
  'identity.revokeInvitation': 'U',
  'identity.checkInvitation': '*',
  'identity.acceptInvitation': '*',
  'identity.inviteFor': 'A',
  'identity.organizationKeys': 'U',
  'identity.createOrganizationKey': 'U',
  'identity.rotateOrganizationKey': 'U',
  'identity.revokeOrganizationKey': 'U',
  'identity.rotateApiKey': 'A',
  'identity.userSessions': 'A',
  'identity.endUserSession': 'A',
  'identity.startView': 'A',
  'identity.endView': 'AUR',
  'identity.endUserSessions': 'A',
  'users.countUsers': 'A',
  'users.startBatch': 'A',
  'users.getBatch': 'A',
  'users.listBatchRows': 'A',
  'users.stopBatch': 'A',
  'users.undoBatch': 'A',
  'users.retryBatch': 'A',
  'users.deleteUser': 'A',
  'users.exportUsers': 'A',
  'users.importTemplate': 'A',
  'users.uploadUsers': 'A',
  'users.getUserImport': 'A',
  'users.listImportRows': 'A',
  'users.startImport': 'A',
  'users.cancelUserImport': 'A',
  'users.importResult': 'A',
  'identity.listUsers': 'A',
  'identity.createUser': 'A',
  'identity.getUser': 'A',
  'identity.updateUser': 'A',
  'identity.listOrganizations': 'A',
  'identity.adminOrganization': 'A',
  'identity.adminUpdateOrganization': 'A',
  'console.demoData': 'A',
  'console.removeDemoData': 'A',
  'identity.listApiKeys': 'A',
  'identity.createApiKey': 'A',
  'identity.revokeApiKey': 'A',
  'identity.liveTicket': 'AUR',
  'audit.listAudit': 'A',
  'audit.auditActions': 'A',
  'audit.exportAudit': 'A',
  'audit.verifyAudit': 'A',
  'audit.getAudit': 'A',
  'federation.federationOptions': '*',
  'federation.googleNonce': '*',
  'federation.googleRegister': '*',
  'federation.googleLogin': '*',
  'federation.sso': '*',
  'federation.ssoByQuery': '*',
  'federation.confirmLink': '*',
  'federation.externalIdentities': 'AUR',
  'federation.linkIdentity': 'AU',
  'federation.unlinkIdentity': 'AU',
  'push.listPushSubscriptions': 'AUR',
  'push.addPushSubscription': 'AUR',
  'push.removePushSubscription': 'AUR',
  'sms.getSmsSettings': 'A',
  'sms.saveSmsSettings': 'A',
  'sms.testSms': 'A',
  'notifications.listNotifications': 'AUR',
  'notifications.markNotification': 'AUR',
  'notifications.deleteNotification': 'AUR',
  'notifications.readAll': 'AUR',
  'notifications.restoreNotification': 'AUR',
  'notifications.deleteAll': 'AUR',
  'notifications.restoreDeletion': 'AUR',
  'notifications.listDeleted': 'AUR',
  'notifications.preferences': 'AUR',
  'notifications.savePreferences': 'AUR',
  'notifications.sendTest': 'AUR',
  'notifications.getTest': 'AUR',
  'notifications.listTemplates': 'A',
  'notifications.previewTemplate': 'A',
  'webhooks.listEndpoints': 'U',
  'webhooks.createEndpoint': 'U',
  'webhooks.getEndpoint': 'U',
  'webhooks.updateEndpoint': 'U',
  'webhooks.deleteEndpoint': 'U',
  'webhooks.rotateSecret': 'U',
  'webhooks.endPreviousSecret': 'U',
  'webhooks.sendTest': 'U',
  'webhooks.listDeliveries': 'U',
  'webhooks.getDelivery': 'U',
  'webhooks.replayDelivery': 'U',
  'webhooks.replayFailed': 'U',
  'meters.listMeters': 'A',
  'meters.getMeter': 'A',
  'meters.createMeter': 'A',
  'meters.updateMeter': 'A',
  'meters.deleteMeter': 'A',
  'meters.checkDataSchema': 'A',
  'catalogue.listServices': 'U',
  'catalogue.getService': 'U',
  'catalogue.estimate': 'U',
  'catalogue.serviceTypes': 'AU',
  'catalogue.serviceTabs': 'U',
  'catalogue.listInterests': 'U',
  'catalogue.showInterest': 'U',
  'catalogue.withdrawInterest': 'U',
  'catalogue.countServices': 'A',
  'catalogue.batchImpact': 'A',
  'catalogue.exportServices': 'A',
  'catalogue.importServices': 'A',
  'catalogue.listPrices': 'A',
  'catalogue.withdrawPrice': 'A',
  'catalogue.listOverrides': 'A',
  'catalogue.addOverride': 'A',
  'catalogue.endOverride': 'A',
  'catalogue.adminListServices': 'A',
  'catalogue.adminGetService': 'A',
  'catalogue.createService': 'A',
  'catalogue.updateService': 'A',
  'catalogue.batchServices': 'A',
  'catalogue.deleteService': 'A',
  'catalogue.previewPricing': 'A',
  'catalogue.exportCatalogue': 'A',
  'catalogue.planCatalogue': 'A',
  'catalogue.applyCatalogue': 'A',
  'subscriptions.listSubscriptions': 'URK',
  'subscriptions.getSubscription': 'URK',
  'subscriptions.subscribe': 'U',
  'subscriptions.cancel': 'U',
  'subscriptions.stop': 'U',
  'subscriptions.start': 'U',
  'subscriptions.listPlans': 'URK',
  'subscriptions.previewChange': 'U',
  'subscriptions.change': 'U',
  'subscriptions.takeBackChange': 'U',
  'subscriptions.renew': 'U',
  'subscriptions.history': 'URK',
  'subscriptions.listAddOns': 'URK',
  'subscriptions.addAddOn': 'U',
  'subscriptions.adminListAddOns': 'A',
  'subscriptions.adminAddAddOn': 'A',
  'subscriptions.adminSubscriptionHistory': 'A',
  'subscriptions.adminListSubscriptions': 'A',
  'subscriptions.adminSubscribe': 'A',
  'announcements.listAnnouncements': 'A',
  'announcements.getAnnouncement': 'A',
  'announcements.createAnnouncement': 'A',
  'announcements.updateAnnouncement': 'A',
  'announcements.sendAnnouncement': 'A',
  'announcements.cancelAnnouncement': 'A',
  'announcements.countAudience': 'A',
  'usage.ingest': 'M',
  'usage.statistics': 'URK',
  'usage.charges': 'URK',
  'usage.daily': 'URK',
  'usage.events': 'URK',
  'usage.usageMonths': 'URK',
  'insights.explore': 'URK',
  'insights.dimensions': 'URK',
  'insights.forecast': 'URK',
  'insights.unusualDays': 'URK',
  'insights.judgeDay': 'U',
  'insights.takeBackVerdict': 'U',
  'insights.exportUsage': 'URK',
  'rejections.adminListRejected': 'A',
  'rejections.adminRejectedReasons': 'A',
  'rejections.adminExportRejected': 'A',
  'rejections.adminGetRejected': 'A',
  'rejections.adminReplayRejected': 'A',
  'rejections.adminReplayReason': 'A',
  'rejections.adminDismissRejected': 'A',
  'rejections.listRejected': 'U',
  'rejections.rejectedReasons': 'U',
  'rejections.exportRejected': 'U',
  'rejections.getRejected': 'U',
  'rejections.replayRejected': 'U',
  'rejections.replayReason': 'U',
  'rejections.dismissRejected': 'U',
  'quotas.listQuotas': 'URK',
  'quotas.entitlement': 'UMK',
  'quotas.reserve': 'M',
  'quotas.commitReservation': 'M',
  'quotas.listReservations': 'URMK',
  'quotas.releaseReservation': 'UM',
  'quotas.askRaise': 'U',
  'quotas.listRaises': 'URK',
  'quotas.withdrawRaise': 'U',
  'quotas.adminListRaises': 'A',
  'quotas.grantRaise': 'A',
  'quotas.declineRaise': 'A',
  'budgets.listBudgets': 'URK',
  'budgets.createBudget': 'U',
  'budgets.updateBudget': 'U',
  'budgets.deleteBudget': 'U',
  'taxes.listTaxRates': 'A',
  'taxes.addTaxRate': 'A',
  'taxes.removeTaxRate': 'A',
  'taxes.getTaxSettings': 'A',
  'taxes.saveTaxSettings': 'A',
  'taxes.listServiceTaxes': 'A',
  'taxes.setServiceTax': 'A',
  'taxes.organizationTax': 'A',
  'taxes.checkVatId': 'A',
  'oneoffs.listOneOffs': 'A',
  'oneoffs.createOneOff': 'A',
  'oneoffs.exportOneOffs': 'A',
  'oneoffs.oneOffSettings': 'A',
  'oneoffs.saveOneOffSettings': 'A',
  'oneoffs.getOneOff': 'A',
  'oneoffs.getMinimumSpend': 'A',
  'oneoffs.approveOneOff': 'A',
  'oneoffs.rejectOneOff': 'A',
  'oneoffs.withdrawOneOff': 'A',
  'oneoffs.upcomingOneOffs': 'URK',
  'oneoffs.listMinimumSpends': 'A',
  'oneoffs.createMinimumSpend': 'A',
  'oneoffs.endMinimumSpend': 'A',
  'oneoffs.ownMinimumSpends': 'URK',
  'creditgrants.adminListGrants': 'A',
  'creditgrants.adminExportGrants': 'A',
  'creditgrants.adminGetGrant': 'A',
  'creditgrants.giveGrant': 'A',
  'creditgrants.withdrawGrant': 'A',
  'creditgrants.creditOffer': 'A',
  'creditgrants.setCreditOffer': 'A',
  'creditgrants.ownCredits': 'URK',
  'creditgrants.creditCover': 'URK',
  'creditgrants.buyCredit': 'U',
  'creditgrants.topUps': 'URK',
  'creditgrants.setTopUp': 'U',
  'commitments.adminListCommitments': 'A',
  'commitments.adminExportCommitments': 'A',
  'commitments.adminGetCommitment': 'A',
  'commitments.makeCommitment': 'A',
  'commitments.updateCommitment': 'A',
  'commitments.endCommitment': 'A',
  'commitments.ownCommitments': 'URK',
  'discounts.listDiscounts': 'A',
  'discounts.createDiscount': 'A',
  'discounts.discountSettings': 'A',
  'discounts.saveDiscountSettings': 'A',
  'discounts.exportDiscounts': 'A',
  'discounts.getDiscount': 'A',
  'discounts.updateDiscount': 'A',
  'discounts.archiveDiscount': 'A',
  'discounts.restoreDiscount': 'A',
  'discounts.listRedemptions': 'A',
  'discounts.giveDiscount': 'A',
  'discounts.endRedemption': 'A',
  'discounts.ownDiscounts': 'URK',
  'discounts.checkCode': 'U',
  'discounts.redeemCode': 'U',
  'billing.listBills': 'URK',
  'billing.currentBill': 'URK',
  'billing.getBill': 'URK',
  'billing.billPdf': 'URK',
  'billing.billCsv': 'URK',
  'billing.explainLine': 'URK',
  'billing.explainCurrentLine': 'URK',
  'billing.subscriptionLines': 'URK',
  'billing.closeMonth': 'A',
  'billing.exportBills': 'URK',
  'billing.adminExportBills': 'A',
  'billing.previewClose': 'A',
  'billing.getPreview': 'A',
  'billing.listInterimThresholds': 'A',
  'billing.setInterimThreshold': 'A',
  'billing.removeInterimThreshold': 'A',
  'billing.simulateBill': 'A',
  'billing.stopCloseRun': 'A',
  'billing.listCloseRuns': 'A',
  'billing.adminListBills': 'A',
  'billing.adminGetBill': 'A',
  'billing.adminExplainLine': 'A',
  'planning.simulate': 'A',
  'planning.exportSimulation': 'A',
  'planning.ownUsage': 'U',
  'planning.planFit': 'UR',
  'planning.simulateContract': 'A',
  'credits.billHistory': 'URK',
  'credits.listCreditNotes': 'URK',
  'credits.creditNotePdf': 'URK',
  'credits.creditNoteCsv': 'URK',
  'credits.adminBillHistory': 'A',
  'credits.adminListCreditNotes': 'A',
  'credits.adminCreditNotePdf': 'A',
  'credits.previewCredit': 'A',
  'credits.issueCredit': 'A',
  'credits.previewVoid': 'A',
  'credits.voidBill': 'A',
  'credits.previewReissue': 'A',
  'credits.reissueBill': 'A',
  'credits.addBillNote': 'A',
  'quotes.listQuotes': 'A',
  'quotes.createQuote': 'A',
  'quotes.previewQuote': 'A',
  'quotes.exportQuotes': 'A',
  'quotes.getQuote': 'A',
  'quotes.updateQuote': 'A',
  'quotes.deleteQuote': 'A',
  'quotes.sendQuote': 'A',
  'quotes.withdrawQuote': 'A',
  'quotes.quotePdf': 'A',
  'quotes.ownQuotes': 'UR',
  'quotes.openQuote': '*',
  'quotes.quoteDocument': '*',
  'quotes.acceptQuote': '*',
  'quotes.declineQuote': '*',
  'payments.balance': 'URK',
  'payments.topUp': 'U',
  'payments.payBill': 'U',
  'payments.listPayments': 'URK',
  'payments.getPayment': 'URK',
  'payments.receipt': 'URK',
  'payments.paymentOptions': 'U',
  'gateways.webhook': '*',
  'payments.adminListPayments': 'A',
  'payments.confirmPayment': 'A',
  'payments.rejectPayment': 'A',
  'payments.adminGetPayment': 'A',
  'payments.bankAccount': 'A',
  'payments.setBankAccount': 'A',
  'payments.refundPayment': 'A',
  'payments.settleRefund': 'A',
  'payments.recordWithholding': 'A',
  'payments.takeBackWithholding': 'A',
  'books.trialBalance': 'A',
  'books.listAccounts': 'A',
  'books.accountStatement': 'A',
  'books.exportAccount': 'A',
  'books.listTransactions': 'A',
  'books.exportTransactions': 'A',
  'books.deferredRevenue': 'A',
  'books.exportDeferredRevenue': 'A',
  'books.runCheck': 'A',
  'books.listChecks': 'A',
  'books.statement': 'URK',
  'books.exportStatement': 'URK',
  'books.runOwnCheck': 'UR',
  'books.listOwnChecks': 'UR',
  'payments.setAutomatic': 'U',
  'payments.adminListAutomatic': 'A',
  'payments.adminListRefused': 'A',
  'payments.settleRefused': 'A',
  'banking.inspectStatement': 'A',
  'banking.uploadStatement': 'A',
  'banking.listStatements': 'A',
  'banking.bankOverview': 'A',
  'banking.matchRows': 'A',
  'banking.listRows': 'A',
  'banking.getRow': 'A',
  'banking.findTargets': 'A',
  'banking.applyRow': 'A',
  'banking.applyCertain': 'A',
  'banking.ignoreRow': 'A',
  'banking.reopenRow': 'A',
  'banking.undoRow': 'A',
  'einvoices.listEinvoices': 'URK',
  'einvoices.billEinvoices': 'URK',
  'einvoices.saveBillBuyer': 'U',
  'einvoices.getEinvoicePreference': 'URK',
  'einvoices.saveEinvoicePreference': 'U',
  'einvoices.adminListEinvoices': 'A',
  'einvoices.exportEinvoices': 'A',
  'einvoices.adminGetEinvoice': 'A',
  'einvoices.adminBillEinvoices': 'A',
  'einvoices.coverBill': 'A',
  'einvoices.retryEinvoice': 'A',
  'einvoices.changeBuyer': 'A',
  'einvoices.voidEinvoice': 'A',
  'einvoices.voidAllowance': 'A',
  'einvoices.settleAllowance': 'A',
  'einvoices.listTracks': 'A',
  'einvoices.addTrack': 'A',
  'einvoices.removeTrack': 'A',
  'einvoices.periodSummary': 'A',
  'einvoices.periodCsv': 'A',
  'einvoices.reportUnused': 'A',
  'einvoices.getEinvoiceSettings': 'A',
  'einvoices.saveEinvoiceSettings': 'A',
  'einvoices.checkEinvoiceProvider': 'A',
  'dunning.dunningStanding': 'URK',
  'dunning.getDunning': 'A',
  'dunning.saveDunning': 'A',
  'dunning.switchDunning': 'A',
  'dunning.rehearseDunning': 'A',
  'dunning.listDunned': 'A',
  'dunning.billDunning': 'A',
  'dunning.extendBill': 'A',
  'dunning.resumeOrganization': 'A',
  'dunning.listExemptions': 'A',
  'dunning.exemptOrganization': 'A',
  'dunning.endExemption': 'A',
  'packs.makePack': 'A',
  'packs.listPacks': 'A',
  'packs.stopPack': 'A',
  'packs.downloadPack': 'A',
  'packs.makeOwnPack': 'UR',
  'packs.listOwnPacks': 'UR',
  'packs.stopOwnPack': 'UR',
  'packs.downloadOwnPack': 'UR',
  'licensing.publicKey': '*',
  'licensing.publicKeys': '*',
  'licensing.revocations': '*',
  'licensing.verifierKit': '*',
  'licensing.listLicences': 'A',
  'licensing.listLicensable': 'A',
  'licensing.previewLicence': 'A',
  'licensing.issueLicence': 'A',
  'licensing.getLicence': 'A',
  'licensing.licenceFile': 'A',
  'licensing.renewLicence': 'A',
  'licensing.revokeLicence': 'A',
  'licensing.rotateLicenceKey': 'A',
  'administration.systemStatus': '*',
  'administration.initialize': '*',
  'administration.checkSetupToken': '*',
  'administration.getSettings': 'A',
  'administration.updateSettings': 'A',
  'administration.settingsHistory': 'A',
  'administration.environment': 'A',
  'administration.testService': 'A',
  'administration.importFocus': 'A',
  'administration.importDemo': 'A',
  'administration.listImports': 'A',
  'administration.getImport': 'A',
  'administration.cancelImport': 'A',
  'administration.reconcile': 'A',
  'backups.backupOverview': 'A',
  'backups.listBackups': 'A',
  'backups.makeBackup': 'A',
  'backups.getBackup': 'A',
  'backups.stopBackup': 'A',
  'backups.downloadBackup': 'A',
  'backups.deleteBackup': 'A',
  'backups.saveBackupPlan': 'A',
  'backups.revealRecoveryKey': 'A',
  'security.securityState': 'A',
  'security.listRefused': 'A',
  'security.listOpenSessions': 'A',
  'security.endOpenSession': 'A',
  'security.letTryAgain': 'A',
  'monitoring.monitoring': 'A',
  'monitoring.listFaults': 'A',
  'monitoring.retryParked': 'A',
  'console.listOrganizationAccounts': 'A',
  'console.getOrganizationAccount': 'A',
  'console.suspendOrganization': 'A',
  'console.resumeOrganization': 'A',
  'console.closeOrganization': 'A',
  'console.reopenOrganization': 'A',
  'console.userDashboard': 'U',
  'console.billingDashboard': 'URK',
  'console.adminDashboard': 'A',
  'console.permissions': 'A',
  'grants.ownGrants': 'AUR',
  'grants.listGrants': 'A',
  'grants.previewGrants': 'A',
  'grants.saveGrants': 'A',
  'grants.previewRole': 'A',
};

const routes: [string, Route][] = [
  ...features.map((feature) => [feature.name, feature.contract] as const),
  ['monitoring', monitoring] as const,
  ['console', consoleContract] as const,
  ['grants', grantsContract] as const,
].flatMap(([name, contract]) =>
  Object.entries(contract).map(([verb, route]): [string, Route] => [`${name}.${verb}`, route]),
);
/**
 * Routes that would change the callers themselves; only their table entry is checked, they are not called.
 */
const notCalled = new Set(['identity.logout', 'administration.importDemo']);

let console: TestConsole;
/** The server's routes outside the contracts: none needs a session, and none reveals a secret. */
const operations = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /locales/:lng/:file',
  'GET /api/together',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs/*',
];
let tokens: Record<'A' | 'U' | 'B' | 'R' | 'M' | 'K' | 'X', string>;

beforeAll(async () => {
  console = await createTestConsole();
  const admin = await setUp(console);
  const user = await registerUser(console, 'user@one.example', 'One');
  const make = (account: string, role: 'ReadOnly' | 'User') =>
    console.ok(
      identity.createUser,
      { account, name: account, role, organizationId: user.organizationId as never, password: userPassword },
      { token: admin },
    );
  await make('reader@one.example', 'ReadOnly');
  const other = await registerUser(console, 'user@other.example', 'Other');
  const gone = await make('gone@one.example', 'User');
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  const read = await console.ok(
    identity.createApiKey,
    { name: 'reports', scope: 'read', organizationId: user.organizationId as never },
    { token: admin },
  );
  tokens = {
    A: admin,
    U: user.token,
    B: other.token,
    R: await signIn(console, 'reader@one.example'),
    M: secret,
    K: read.secret,
    X: await signIn(console, 'gone@one.example'),
  };
  await console.ok(identity.updateUser, { userId: gone.user.id, status: 'inactive' }, { token: admin });
});

/** Sends a request without valid input; only whether access is granted matters. */
async function statusOf(route: Route, token: string | undefined): Promise<number> {
  const path = pathNames(route.path).reduce((text, name) => text.replace(`:${name}`, 'x'), route.path);
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const response = await fetch(`${console.address}/api${path}`, {
    method: route.method,
    headers: {
      ...(hasBody ? { 'content-type': route.raw?.types[0] ?? 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(hasBody ? { body: route.raw ? '[' : '{"unknownField":1}' } : {}),
  });
  await response.arrayBuffer();
  return response.status;
}

describe('every route × every kind of caller (R-AUTH-15, R-AUTH-16)', () => {
  it('has exactly the routes of the table', () => {
    expect(routes.map(([name]) => name).toSorted()).toEqual(Object.keys(table).toSorted());
    const declared = routes.map(([, route]) => `${route.method} /api${route.path}`);
    // Fastify adds a HEAD route for each GET route outside the contracts.
    const answered = console.routes.filter((line) => !line.startsWith('HEAD '));
    expect(answered.toSorted()).toEqual([...declared, ...operations].toSorted());
  });

  it.each(routes)('%s', async (name, route) => {
    const allowed = table[name] ?? '';
    if (notCalled.has(name))
      return expect(route.access).toEqual(allowed === 'c' ? 'cookie' : { roles: ['Admin'] });
    const open = allowed === '*' || allowed === 'c';
    // Without a session cookie the session call itself answers 401.
    if (allowed === 'c') return expect(await statusOf(route, undefined)).toBe(401);
    expect(await statusOf(route, undefined), 'anonymous').toSatisfy((status: number) =>
      open ? status !== 401 || name === 'signin.login' : status === 401,
    );
    expect(await statusOf(route, tokens.X), 'deactivated').toSatisfy(
      (status: number) => open || status === 401,
    );
    for (const caller of ['A', 'U', 'B', 'R', 'M', 'K'] as const) {
      const status = await statusOf(route, tokens[caller]);
      if (open || allowed.includes(caller === 'B' ? 'U' : caller))
        expect([401, 403], `${caller} may`).not.toContain(status);
      else expect(status, `${caller} may not`).toBe(403);
    }
  });

  it('answers what belongs to another organization as if it did not exist', async () => {
    const other = await registerUser(console, 'user@two.example', 'Two');
    const absent = await console.call(
      identity.endSession,
      { sessionId: 'ses_00000000000000000000000000' as never },
      { token: other.token },
    );
    const { items } = await console.ok(identity.sessions, {}, { token: tokens.U });
    const foreign = await console.call(
      identity.endSession,
      { sessionId: items[0]?.id ?? ('' as never) },
      { token: other.token },
    );
    expect([foreign.status, foreign.envelope.code]).toEqual([absent.status, absent.envelope.code]);
    expect(absent.status).toBe(404);
  });

  it('refuses unknown fields, repeated parameters, wrong media types and foreign origins', async () => {
    const api = `${console.address}/api`;
    const json = { 'content-type': 'application/json' };
    expect(
      await (
        await fetch(`${api}/user/login`, {
          method: 'POST',
          headers: json,
          body: '{"account":"a@b.example","password":"x","role":"Admin"}',
        })
      ).json(),
    ).toMatchObject({
      code: 'platform.invalid',
      errors: [{ field: 'role', code: 'platform.field_unknown' }],
    });
    expect(
      (
        await fetch(`${api}/user/login`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: '{}',
        })
      ).status,
    ).toBe(415);
    expect(
      (await fetch(`${api}/user/login`, { method: 'POST', headers: json, body: '{"account":' })).status,
    ).toBe(400);
    expect(
      (
        await fetch(`${api}/user/login`, {
          method: 'POST',
          headers: json,
          body: '{"__proto__":{"role":"Admin"}}',
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await fetch(`${api}/user/login`, {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ account: 'a'.repeat(2 * 1024 * 1024) }),
        })
      ).status,
    ).toBe(413);
    expect(
      (
        await fetch(`${api}/admin/users?limit=1&limit=2`, {
          headers: { authorization: `Bearer ${tokens.A}` },
        })
      ).status,
    ).toBe(400);
    expect((await fetch(`${api}/user/session`, { headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    expect((await fetch(`${api}/nothing/here`)).status).toBe(404);
    for (const path of ['/api/user/session', '/api/nothing', '/']) {
      const { headers } = await fetch(console.address + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

// Which calls a portal link allows: by page, for reading and for changing. Calls in no table are closed to
// links.
import type { Route } from '#kernel/contract.ts';
import type { PortalAllows } from '#platform/server/http/admission.ts';
import type { PortalPage } from '#features/access/portal/contract.ts';

const of = (feature: string, ...verbs: readonly string[]): string[] =>
  verbs.map((verb) => `${feature}.${verb}`);

/** What every page shows: the organization itself, and the brand of the console. */
const everyPage = [
  ...of('grants', 'ownGrants'),
  ...of('administration', 'seenAs'),
  ...of('identity', 'organization'),
];
/** A ticket for live updates: requested by POST, but changes nothing. */
const liveTicket = 'identity.liveTicket';

/** The subscriptions by name, with their cost this month; usage and plans refer to them. */
const subscriptionsSeen = [
  ...of('subscriptions', 'listSubscriptions', 'getSubscription'),
  ...of('usage', 'charges'),
];

const looks: Readonly<Record<PortalPage, readonly string[]>> = {
  usage: [
    ...subscriptionsSeen,
    ...of('usage', 'statistics', 'daily', 'events', 'usageMonths'),
    ...of('insights', 'explore', 'dimensions', 'forecast', 'unusualDays', 'exportUsage'),
    ...of('quotas', 'listQuotas'),
    ...of('budgets', 'listBudgets'),
  ],
  bills: [
    ...of(
      'billing',
      'listBills',
      'currentBill',
      'getBill',
      'exportBills',
      'billsOfYear',
      'billPdf',
      'billCsv',
      'explainLine',
      'explainCurrentLine',
      'listConsolidatedBills',
      'getConsolidatedBill',
      'consolidatedBillPdf',
      'consolidatedBillCsv',
    ),
    ...of('credits', 'billHistory', 'listCreditNotes', 'creditNotePdf', 'creditNoteCsv'),
    ...of('payments', 'balance', 'listPayments', 'getPayment', 'receipt'),
    ...of('plans', 'billPlan'),
    ...of('latefees', 'billLateFees'),
    ...of('collection', 'billCollection'),
    ...of('en16931', 'billDocument', 'creditNoteDocument'),
    ...of('billproofs', 'billProof'),
    ...of('resellers', 'ownResale', 'retailBills', 'retailBill', 'retailBillPdf', 'retailCreditPdf'),
  ],
  paymentMethods: [...of('collection', 'listCards'), ...of('payments', 'balance')],
  subscriptions: [
    ...subscriptionsSeen,
    ...of('subscriptions', 'listPlans', 'history', 'listAddOns'),
    ...of('usage', 'daily'),
    ...of('quotas', 'listQuotas'),
    ...of('planning', 'planFit'),
  ],
};

/**
 * The calls that a link may make in addition if it may change something. Reads listed here are needed only
 * for changing.
 */
const changes: Readonly<Record<PortalPage, readonly string[]>> = {
  usage: [],
  bills: of('payments', 'paymentOptions', 'payBill', 'payConsolidatedBill'),
  paymentMethods: [
    ...of('payments', 'paymentOptions'),
    ...of('collection', 'addCard', 'setDefaultCard', 'removeCard', 'setCollection'),
  ],
  // Changes to existing subscriptions; new ones cannot be added here.
  subscriptions: of(
    'subscriptions',
    'previewChange',
    'change',
    'takeBackChange',
    'previewCancel',
    'cancel',
    'previewStop',
    'stop',
    'start',
    'previewRenew',
    'renew',
    'previewAddOn',
    'addAddOn',
  ),
};

/** The calls that a link's pages need; `mayChange` adds those that change something. */
export function portalCalls(pages: readonly PortalPage[], mayChange: boolean): ReadonlySet<string> {
  return new Set([
    ...everyPage,
    ...pages.flatMap((page) => [...looks[page], ...(mayChange ? changes[page] : [])]),
  ]);
}

const isPage = (page: string): page is PortalPage => Object.hasOwn(looks, page);

/**
 * Whether a link may make a call. A read-only link never makes a call that could change something, whatever
 * the tables say.
 */
export const portalAllows: PortalAllows = (name: string, route: Route, { pages, mayChange }) =>
  name === liveTicket ||
  ((mayChange || route.method === 'GET') && portalCalls(pages.filter(isPage), mayChange).has(name));

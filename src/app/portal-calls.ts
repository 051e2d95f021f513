// Which calls a portal link opens: by page, to look and to change. What is in no table is open to no link.
import type { Route } from '#kernel/contract.ts';
import type { PortalAllows } from '#platform/server/http/admission.ts';
import type { PortalPage } from '#features/access/portal/contract.ts';

const of = (feature: string, ...verbs: readonly string[]): string[] =>
  verbs.map((verb) => `${feature}.${verb}`);

/** What every page shows: the organization itself, and under whose name the console is seen. */
const everyPage = [
  ...of('grants', 'ownGrants'),
  ...of('administration', 'seenAs'),
  ...of('identity', 'organization'),
];
/** A ticket to hear of changes: it is asked for by POST, and changes nothing. */
const liveTicket = 'identity.liveTicket';

/** The subscriptions by name, and what each costs this month; usage and plans are of them. */
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

/** What a link may do besides that may change something. The reads here are asked for by those who change. */
const changes: Readonly<Record<PortalPage, readonly string[]>> = {
  usage: [],
  bills: of('payments', 'paymentOptions', 'payBill', 'payConsolidatedBill'),
  paymentMethods: [
    ...of('payments', 'paymentOptions'),
    ...of('collection', 'addCard', 'setDefaultCard', 'removeCard', 'setCollection'),
  ],
  // Of what the organization has; it subscribes to nothing new here.
  subscriptions: of(
    'subscriptions',
    'previewChange',
    'change',
    'takeBackChange',
    'cancel',
    'stop',
    'start',
    'renew',
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

/** Whether a link may make a call. One that only reads makes none that could change something, whatever the tables say. */
export const portalAllows: PortalAllows = (name: string, route: Route, { pages, mayChange }) =>
  name === liveTicket ||
  ((mayChange || route.method === 'GET') && portalCalls(pages.filter(isPage), mayChange).has(name));

// Rejects calls about the operator's bills for organizations that a reseller sells to, because their bills
// come from the reseller.
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { refuseResold } from '#features/invoicing/resellers/server/index.ts';

/**
 * Features whose calls by customers change something about the operator's bills: balance, cards, credit,
 * plans, documents. Reading remains possible, for the organization's own months before a reseller took over.
 */
const refusedWrites: ReadonlySet<string> = new Set([
  'creditgrants',
  'discounts',
  'quotes',
  'payments',
  'collection',
  'topups',
  'plans',
  'einvoices',
  'books',
  'packs',
]);

/** Reads whose responses reveal what the reseller pays, or who it is to the operator. */
const refusedReads: ReadonlySet<string> = new Set([
  'billing.listCoveredBills',
  'billing.getCoveredBill',
  'billing.coveredBillPdf',
  'billing.explainCoveredLine',
  'billing.subscriptionLines',
  'payers.ownPayers',
  'oneoffs.upcomingOneOffs',
  'oneoffs.ownMinimumSpends',
  'commitments.ownCommitments',
  'creditgrants.ownCredits',
  'creditgrants.creditCover',
  'creditgrants.topUps',
  'creditlimits.creditLimit',
  'quotes.ownQuotes',
  'collection.listCards',
  'topups.automaticTopUps',
  'books.statement',
  'books.exportStatement',
  'books.listOwnChecks',
  'packs.listOwnPacks',
  'packs.downloadOwnPack',
  'billproofs.billProof',
]);

/** Wraps a feature's calls about the operator's bills with this check. */
export function withoutResold(feature: Feature): Feature {
  const refused = Object.entries(feature.contract).filter(
    ([name, { access, method }]) =>
      typeof access === 'object' &&
      access.roles.some((role) => role !== 'Admin') &&
      (refusedReads.has(`${feature.name}.${name}`) || (method !== 'GET' && refusedWrites.has(feature.name))),
  );
  if (refused.length === 0) return feature;
  const verbs = { ...feature.verbs };
  for (const [name] of refused) {
    const verb = verbs[name];
    if (verb)
      verbs[name] = async (ctx, input, reply) => {
        await refuseResold(ctx);
        return verb(ctx, input, reply);
      };
  }
  return { ...feature, verbs };
}

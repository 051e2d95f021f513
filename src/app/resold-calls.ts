// What belongs to the operator's bills, and so is refused to organizations that a reseller sells to: their bills come from the reseller.
import type { Feature } from '#platform/server/unit-of-work/feature.ts';
import { refuseResold } from '#features/invoicing/resellers/server/index.ts';

/**
 * Features whose calls by customers change something about the operator's bills: balance, cards, credit, plans, documents. What they tell
 * of the organization's own months before a reseller sold to it stays readable.
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

/** Reading calls whose answers are made of what the reseller pays, or of who it is to the operator. */
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

/** A feature whose calls ask first, where they belong to the operator's bills. */
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

// The public API of resellers: their routes, and the check that blocks access to the operator's bills.
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { feature } from '#platform/server/unit-of-work/feature.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { identityErrors } from '#features/access/identity/contract.ts';
import { subscriptionsErrors } from '#features/selling/subscriptions/contract.ts';
import { payersErrors } from '#features/invoicing/payers/contract.ts';
import { resellers, resellersErrors } from '../contract.ts';
import {
  adminWholesale,
  creditBill,
  notePayment,
  resellerBill,
  resellerBills,
  retailBill,
  retailBillPdf,
  retailCreditPdf,
  retailBills,
  wholesale,
} from './bills.ts';
import {
  adminBrand,
  adminRemoveLogo,
  adminSaveBrand,
  adminSetHost,
  adminSetLogo,
  adminVerifyHost,
  brandLogo,
  ownBrand,
  removeLogo,
  saveBrand,
  setHost,
  setLogo,
  verifyHost,
} from './brand.ts';
import { customerServices, pauseService, resumeService } from './customer-services.ts';
import { billUnbilledLate, listUnbilledLate } from './late-usage.ts';
import { makeReseller, setReseller, stop } from './manage.ts';
import { addCustomer, listCustomers, listMarkUps, ownResale, saveMarkUps, saveReseller } from './own.ts';
import { allResellers, pageOfResold, sellerNow } from './store.ts';

export const resellersFeature = feature({
  name: 'resellers',
  contract: resellers,
  errors: { ...identityErrors, ...subscriptionsErrors, ...payersErrors, ...resellersErrors },
  verbs: {
    listResellers: async (ctx: Ctx) => ({ items: await allResellers(ctx, null) }),
    makeReseller,
    stopReseller: stop,
    listResold: (ctx: Ctx, input) => pageOfResold(ctx, { ...input, isOver: true }),
    setReseller,
    listUnbilledLate,
    billUnbilledLate,
    adminWholesale,
    adminBrand,
    adminSaveBrand,
    adminSetLogo,
    adminRemoveLogo,
    adminSetHost,
    adminVerifyHost,
    ownBrand,
    saveBrand,
    setLogo,
    removeLogo,
    setHost,
    verifyHost,
    brandLogo,
    ownResale,
    saveReseller,
    listCustomers,
    customerServices,
    pauseService,
    resumeService,
    addCustomer,
    listMarkUps,
    saveMarkUps,
    resellerBills,
    resellerBill,
    notePayment,
    creditBill,
    wholesale,
    retailBills,
    retailBill,
    retailBillPdf,
    retailCreditPdf,
  },
  // Decoding an image and querying a DNS server take longer than a transaction may.
  ownUnitOfWork: ['setLogo', 'adminSetLogo', 'verifyHost', 'adminVerifyHost'],
});

export { refuseUnderSuspended } from './suspended.ts';

/**
 * Throws if a reseller sells to the caller's organization: the request concerns the operator's bills, which
 * the reseller gets.
 */
export async function refuseResold(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  const organizationId = actor.kind === 'user' || actor.kind === 'apiKey' ? actor.organizationId : null;
  if (organizationId !== null) await refuseResoldOrganization(ctx, organizationId);
}

/** Like {@link refuseResold}, for an organization for which somebody acts without being signed in. */
export async function refuseResoldOrganization(ctx: Ctx, organizationId: Id<'org'>): Promise<void> {
  const seller = await sellerNow(ctx, organizationId);
  if (seller) throw domainError(resellersErrors, 'resellers.sold_by_reseller', { seller: seller.name });
}

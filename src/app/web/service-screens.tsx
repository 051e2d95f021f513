// The screens of services with the parts that columns to their right add to them; fetched with them, not with the frame.
import type { ComponentType } from 'react';
import { loadSubscriptionLines } from '#features/billing/web/index.ts';
import { loadServicesScreen } from '#features/catalogue/web/index.ts';
import { loadOwnMonths, loadPlanFit, loadRehearsalPanel } from '#features/planning/web/index.ts';
import { loadSubscriptionQuota } from '#features/quotas/web/index.ts';
import { loadCloudServicesScreen, loadServiceOverviewScreen } from '#features/subscriptions/web/index.ts';
import { loadSubscriptionMonth } from '#features/usage/web/index.ts';

/** What is on sale, with estimates that begin with the own months. */
export async function loadServiceOverview(): Promise<ComponentType> {
  const [ServiceOverviewScreen, OwnMonths] = await Promise.all([loadServiceOverviewScreen(), loadOwnMonths()]);
  return () => <ServiceOverviewScreen ownMonths={OwnMonths} />;
}

/** The own subscriptions, with quota, usage, charges and what other plans would have cost. */
export async function loadCloudServices(): Promise<ComponentType> {
  const [CloudServicesScreen, SubscriptionQuota, SubscriptionMonth, SubscriptionLines, PlanFit] = await Promise.all([loadCloudServicesScreen(), loadSubscriptionQuota(), loadSubscriptionMonth(), loadSubscriptionLines(), loadPlanFit()]);
  return () => <CloudServicesScreen Quota={SubscriptionQuota} Month={SubscriptionMonth} BillLines={SubscriptionLines} planFit={PlanFit} />;
}

/** An Admin's services, with the rehearsal of their prices. */
export async function loadServiceManagement(): Promise<ComponentType> {
  const [ServicesScreen, RehearsalPanel] = await Promise.all([loadServicesScreen(), loadRehearsalPanel()]);
  return () => <ServicesScreen rehearsal={(asked) => <RehearsalPanel {...asked} />} />;
}

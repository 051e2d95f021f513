// Searches services, bills, users and organizations: only the lists that the role may read, one page of each.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { menuRole } from '#kernel/roles.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingQueries, catalogueQueries, identityQueries } from './calls.ts';
import type { Entry } from './entries.ts';

/** The pause after which the server is called; the next key cancels a running search. */
const restMs = 200;
const limit = 5;

export type Found = {
  readonly entries: readonly Entry[];
  readonly isSearching: boolean;
  readonly hasFailed: boolean;
};

export function useFoundRecords(typed: string): Found {
  const rested = useDebounced(typed.normalize('NFKC').trim());
  const format = useFormat();
  const { user, isAuthenticated } = useAuthStore();
  const role = isAuthenticated ? menuRole(user?.role) : undefined;
  // One Latin letter matches almost every name; one Chinese character is a word.
  const isEnough = rested.length > 1 || /\p{Script=Han}/u.test(rested);
  const wanted = { q: rested, limit };
  const isAdmin = isEnough && role === 'Admin';
  const isUser = isEnough && role === 'User';
  const adminServices = useQuery({ ...catalogueQueries.adminListServices(wanted), enabled: isAdmin });
  const services = useQuery({ ...catalogueQueries.listServices(wanted), enabled: isUser });
  const adminBills = useQuery({ ...billingQueries.adminListBills(wanted), enabled: isAdmin });
  const bills = useQuery({
    ...billingQueries.listBills(wanted),
    enabled: isUser || (isEnough && role === 'ReadOnly'),
  });
  const users = useQuery({ ...identityQueries.listUsers(wanted), enabled: isAdmin });
  const organizations = useQuery({ ...identityQueries.listOrganizations(wanted), enabled: isAdmin });
  const asked = [adminServices, services, adminBills, bills, users, organizations];
  const entry = (
    kind: Entry['kind'],
    icon: Entry['icon'],
    id: string,
    label: string,
    detail: string,
    to: string,
  ): Entry => ({ id, kind, icon, label, detail, to, names: [label] });
  return {
    entries: [
      ...(adminServices.data?.items ?? []).map((one) =>
        entry(
          'services',
          'services',
          one.id,
          one.name,
          one.category,
          `/admin/service-management?service=${one.id}`,
        ),
      ),
      ...(services.data?.items ?? []).map((one) =>
        entry('services', 'overview', one.id, one.name, one.category, `/service/overview?service=${one.id}`),
      ),
      ...(adminBills.data?.items ?? []).map((one) =>
        entry(
          'bills',
          'receipt',
          one.id,
          one.number,
          `${one.organization} · ${format.month(one.month)}`,
          `/admin/billing?bill=${one.id}`,
        ),
      ),
      ...(bills.data?.items ?? []).map((one) =>
        entry(
          'bills',
          'receipt',
          one.id,
          one.number,
          format.month(one.month),
          `/billing/management?month=${one.month}`,
        ),
      ),
      ...(users.data?.items ?? []).map((one) =>
        entry('users', 'person', one.id, one.name, one.account, `/admin/user-management?user=${one.id}`),
      ),
      ...(organizations.data?.items ?? []).map((one) =>
        entry(
          'organizations',
          'users',
          one.id,
          one.name,
          one.taxId,
          `/admin/organizations?organization=${one.id}`,
        ),
      ),
    ],
    isSearching: asked.some((one) => one.isFetching) || rested !== typed.normalize('NFKC').trim(),
    hasFailed: asked.some((one) => one.isError),
  };
}

function useDebounced(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

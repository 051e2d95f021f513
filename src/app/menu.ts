// Each role's menu, which also decides which paths the role may open (R-SHELL-09 to 11, R-AUTH-15).
import { mayReadArea, type Permission } from '#kernel/permissions.ts';
import { menuRole, type Role } from '#kernel/roles.ts';
import { safeReturnPath } from '#features/access/federation/rules.ts';
import type { enUS } from './locales/enUS.ts';
import { pageAreas } from './page-areas.ts';

type AppKey = keyof typeof enUS;
export type MenuIcon =
  | 'dashboard'
  | 'services'
  | 'meters'
  | 'users'
  | 'settings'
  | 'permissions'
  | 'overview'
  | 'cloud'
  | 'billing'
  | 'chart'
  | 'receipt'
  | 'discount'
  | 'person'
  | 'profile'
  | 'notifications'
  | 'operations'
  | 'charges'
  | 'payments'
  | 'bank'
  | 'einvoice'
  | 'ledger'
  | 'accounting'
  | 'rates'
  | 'finance'
  | 'imports'
  | 'rejected'
  | 'keys'
  | 'credit'
  | 'quote'
  | 'commitment'
  | 'simulator'
  | 'tax'
  | 'connector'
  | 'stream'
  | 'reconciliation'
  | 'quota'
  | 'organization'
  | 'announcement'
  | 'approval'
  | 'security'
  | 'monitoring'
  | 'audit'
  | 'licence'
  | 'backup';

export type NavItem = {
  /** A stable name, for React keys and tests. */
  readonly name: string;
  readonly path: string;
  readonly icon: MenuIcon;
  /** A link opens its path; a group only contains other items. */
  readonly type: 'link' | 'group';
  readonly label: AppKey;
  readonly children?: readonly NavItem[];
};

const link = (name: string, path: string, icon: MenuIcon, label: AppKey): NavItem => ({
  name,
  path,
  icon,
  type: 'link',
  label,
});
const group = (
  name: string,
  path: string,
  icon: MenuIcon,
  label: AppKey,
  children: readonly NavItem[],
): NavItem => ({ name, path, icon, type: 'group', label, children });

const usage = link('usage', '/usage/statistics', 'chart', 'menu.usage');
const bills = link('bills', '/billing/management', 'receipt', 'menu.bills');

const menus: Record<Role, readonly NavItem[]> = {
  Admin: [
    link('admin-dashboard', '/admin/dashboard', 'dashboard', 'menu.admin_dashboard'),
    link('service-management', '/admin/service-management', 'services', 'menu.service_management'),
    link('user-management', '/admin/user-management', 'users', 'menu.user_management'),
    link('system-settings', '/admin/system-settings', 'settings', 'menu.system_settings'),
    link('permissions', '/admin/permissions', 'permissions', 'menu.permissions'),
    group('usage-data', '/admin/usage-data', 'chart', 'menu.usage_data', [
      link('meters', '/admin/meters', 'meters', 'menu.meters'),
      link('connectors', '/admin/connectors', 'connector', 'menu.connectors'),
      link('cost-imports', '/admin/cost-imports', 'cloud', 'menu.cost_imports'),
      link('event-streams', '/admin/event-streams', 'stream', 'menu.event_streams'),
      link('reconciliation', '/admin/reconciliation', 'reconciliation', 'menu.reconciliation'),
      link('admin-quotas', '/admin/quotas', 'quota', 'menu.admin_quotas'),
      link('rejected-events', '/admin/rejected-events', 'rejected', 'menu.rejected_events'),
      link('imports', '/admin/imports', 'imports', 'menu.imports'),
    ]),
    group('finance', '/admin/finances', 'ledger', 'menu.finance', [
      link('admin-billing', '/admin/billing', 'receipt', 'menu.admin_billing'),
      link('admin-payments', '/admin/payments', 'payments', 'menu.admin_payments'),
      link('bank-statements', '/admin/bank-statements', 'bank', 'menu.bank_statements'),
      link('admin-einvoices', '/admin/einvoices', 'einvoice', 'menu.admin_einvoices'),
      link('admin-taxes', '/admin/taxes', 'tax', 'menu.admin_taxes'),
      link('admin-dunning', '/admin/dunning', 'notifications', 'menu.admin_dunning'),
      link('admin-finance', '/admin/finance', 'finance', 'menu.admin_finance'),
      link('admin-ledger', '/admin/ledger', 'ledger', 'menu.admin_ledger'),
      link('admin-rates', '/admin/exchange-rates', 'rates', 'menu.admin_rates'),
      link('admin-accounting', '/admin/accounting', 'accounting', 'menu.admin_accounting'),
    ]),
    group('terms', '/admin/terms', 'discount', 'menu.terms', [
      link('quotes', '/admin/quotes', 'quote', 'menu.quotes'),
      link('admin-discounts', '/admin/discounts', 'discount', 'menu.admin_discounts'),
      link('credit-grants', '/admin/credit-grants', 'credit', 'menu.credit_grants'),
      link('commitments', '/admin/commitments', 'commitment', 'menu.commitments'),
      link('one-off-charges', '/admin/one-off-charges', 'charges', 'menu.one_off_charges'),
      link('contract-simulator', '/admin/contract-simulator', 'simulator', 'menu.contract_simulator'),
    ]),
    group('operations', '/admin/operations', 'operations', 'menu.operations', [
      link('organizations', '/admin/organizations', 'organization', 'menu.organizations'),
      link('announcements', '/admin/announcements', 'announcement', 'menu.announcements'),
      link('api-keys', '/admin/api-keys', 'keys', 'menu.api_keys'),
      link('sandboxes', '/admin/sandboxes', 'simulator', 'menu.sandboxes'),
      link('admin-notifications', '/admin/notifications', 'notifications', 'menu.notifications'),
      link('account', '/admin/account', 'profile', 'menu.account'),
    ]),
    group('system', '/admin/system', 'settings', 'menu.system', [
      link('approvals', '/admin/approvals', 'approval', 'menu.approvals'),
      link('security', '/admin/security', 'security', 'menu.security'),
      link('identity-providers', '/admin/identity-providers', 'keys', 'menu.identity_providers'),
      link('monitoring', '/admin/monitoring', 'monitoring', 'menu.monitoring'),
      link('audit-log', '/admin/audit-log', 'audit', 'menu.audit_log'),
      link('audit-exports', '/admin/audit-exports', 'stream', 'menu.audit_exports'),
      link('licences', '/admin/licenses', 'licence', 'menu.licences'),
      link('backups', '/admin/backups', 'backup', 'menu.backups'),
      link('data-exports', '/admin/data-exports', 'imports', 'menu.data_exports'),
      link('personal-data', '/admin/personal-data', 'person', 'menu.personal_data'),
    ]),
  ],
  User: [
    link('user-dashboard', '/user/dashboard', 'dashboard', 'menu.user_dashboard'),
    link('service-overview', '/service/overview', 'overview', 'menu.service_overview'),
    link('cloud-services', '/cloud-service/management', 'cloud', 'menu.cloud_services'),
    group('billing', '/billing', 'billing', 'menu.billing', [
      link('billing-dashboard', '/billing/dashboard', 'dashboard', 'menu.billing_dashboard'),
      usage,
      bills,
    ]),
    group('personal', '/user', 'person', 'menu.personal', [
      link('profile', '/user/profile', 'profile', 'menu.profile'),
      link('notifications', '/user/notifications', 'notifications', 'menu.notifications'),
    ]),
  ],
  ReadOnly: [
    group('billing', '/billing', 'billing', 'menu.billing', [
      link('billing-dashboard', '/dashboard', 'dashboard', 'menu.billing_dashboard'),
      usage,
      bills,
    ]),
  ],
};

/** A person whose built-in role may be narrowed by a custom role. */
export type Viewer = {
  readonly role: string;
  readonly customRole?: { readonly permissions: readonly Permission[] } | null;
};
/** Whose menu to use: a person's, or that of a whole built-in role, given as text. */
type Whose = Viewer | string | null | undefined;

const roleOf = (whose: Whose): Role => menuRole(typeof whose === 'object' ? whose?.role : whose);

/** Whether a person's custom role lets them read what a page shows; true without a custom role. */
function mayRead(whose: Whose, path: string): boolean {
  const custom = typeof whose === 'object' ? whose?.customRole : null;
  return mayReadArea(custom, pageAreas[path]);
}

/**
 * The menu of a person, or of a role text (trimmed; a User's menu when it is missing or unknown). Pages that
 * a custom role does not include are omitted, and so are empty groups.
 */
export function menuOf(whose: Whose): readonly NavItem[] {
  const kept = (items: readonly NavItem[]): readonly NavItem[] =>
    items.flatMap((item) => {
      if (item.type === 'link') return mayRead(whose, item.path) ? [item] : [];
      const children = kept(item.children ?? []);
      return children.length > 0 ? [{ ...item, children }] : [];
    });
  const menu = menus[roleOf(whose)];
  return typeof whose === 'object' && whose?.customRole ? kept(menu) : menu;
}

/** All links of a menu, including those in groups. */
export function linksOf(items: readonly NavItem[]): readonly NavItem[] {
  return items.flatMap((item) => (item.type === 'group' ? linksOf(item.children ?? []) : [item]));
}

/**
 * Paths that a role may open although its menu, which the specification fixes, does not list them: credits
 * and discounts are reached from the bills and the dashboard, card entry from the customer's cards, a
 * reseller's customers from its bills, and a command line shows the address at which it is signed in.
 */
const unlisted: Readonly<Partial<Record<Role, readonly string[]>>> = {
  Admin: ['/device'],
  User: ['/billing/card-entry', '/billing/credits', '/billing/customers', '/device'],
  ReadOnly: ['/billing/credits', '/billing/customers', '/device'],
};

/**
 * Whether a role may open the path: its menu lists it or a parent of it, or every role may open it. A
 * trailing slash makes no difference.
 */
export function mayOpen(whose: Whose, path: string): boolean {
  const wanted = plain(path);
  return (
    linksOf(menuOf(whose)).some((item) => item.path === wanted) ||
    ((unlisted[roleOf(whose)] ?? []).includes(wanted) && mayRead(whose, wanted))
  );
}

/** Roles that may open the path. */
export function rolesFor(path: string): readonly Role[] {
  return (Object.keys(menus) as Role[]).filter((role) => mayOpen(role, path));
}

/** R-AUTH-14: the page shown after sign-in: the first link of the person's menu. */
export function landingPathOf(whose: Whose): string {
  return linksOf(menuOf(whose))[0]?.path ?? '/';
}

/** Removes trailing slashes from a path. */
export const plain = (path: string): string => (path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path);

/**
 * The page after sign-in: the requested path when it is inside this site and the person may open it, else the
 * landing page. `returnTo` comes from the address bar, so values that could lead to another site ("//evil",
 * "\\evil") are ignored.
 */
export function destinationAfterSignIn(whose: Whose, returnTo: string | null): string {
  const inside = safeReturnPath(returnTo);
  return mayOpen(whose, inside.split(/[?#]/)[0] ?? '') ? inside : landingPathOf(whose);
}

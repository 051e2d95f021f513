// A row's text besides its path: a page's name, or a call's description.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { PermissionRow } from './permission-groups.ts';

export function useRowName(): (row: PermissionRow) => string {
  const { t } = useTranslation('console');
  return ({ page, call }) => (page ? t(page.label) : (call?.summary ?? ''));
}

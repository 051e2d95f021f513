// A row's text besides its path: a page's name, or what a call does.
import { contentLanguageOf } from '#kernel/language.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { PermissionRow } from './permission-groups.ts';

/** Calls are described in English only, as in the API documentation; in Chinese only the path is shown. */
export function useRowName(): (row: PermissionRow) => string {
  const { t } = useTranslation('console');
  const language = useLanguage();
  return (row) =>
    row.page ? t(row.page.label) : contentLanguageOf(language) === 'enUS' ? (row.call?.summary ?? '') : '';
}

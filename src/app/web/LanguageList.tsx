// All languages as a list, if there are too many for a row of buttons.
import type { Language } from '#kernel/language.ts';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { changeLanguage, useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';

export function LanguageList({
  all,
  nameOf,
}: {
  readonly all: readonly Language[];
  readonly nameOf: (language: Language) => string;
}) {
  const { t } = useTranslation('app');
  return (
    <SelectBox
      label={t('settings.language')}
      value={useLanguage()}
      options={all.map((value) => ({ value, label: nameOf(value) }))}
      onChange={(next) => void changeLanguage(next)}
    />
  );
}

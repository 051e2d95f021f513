// Language and theme, switched without a reload.
import DarkModeOutlined from '~icons/ic/outline-dark-mode';
import LightModeOutlined from '~icons/ic/outline-light-mode';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useColorScheme } from '@mui/material/styles';
import { Suspense } from 'react';
import { allLanguages, htmlLangOf, isContentLanguage, packOf, type Language } from '#kernel/language.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { changeLanguage, useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';

/** With more languages than this, they are shown as a list. */
const mostButtons = 4;
// Its select is larger than the rest of a public page's code, and few consoles have so many languages.
const LanguageList = lazyComponent(() =>
  import('./LanguageList.tsx').then((module) => module.LanguageList),
).Component;

export function LanguageSwitch({ size = 'small' }: { size?: 'small' | 'medium' }) {
  const { t } = useTranslation('app');
  // used as: 'language.*'
  const language = useLanguage();
  const all = allLanguages();
  const nameOf = (one: Language): string =>
    isContentLanguage(one) ? t(`language.${one}`) : (packOf(one)?.name ?? one);
  // That many buttons do not fit side by side on a phone.
  if (all.length > mostButtons)
    return (
      <Suspense fallback={null}>
        <LanguageList all={all} nameOf={nameOf} />
      </Suspense>
    );
  return (
    <ToggleButtonGroup
      exclusive
      size={size}
      value={language}
      aria-label={t('settings.language')}
      onChange={(_, next: Language | null) => next && void changeLanguage(next)}
    >
      {all.map((one) => (
        <ToggleButton key={one} value={one} lang={htmlLangOf(one)} sx={{ paddingInline: 1.5 }}>
          <Box component="span" sx={{ display: { xs: size === 'small' ? 'none' : 'inline', sm: 'inline' } }}>
            {nameOf(one)}
          </Box>
          {size === 'small' && (
            <Box component="span" sx={{ display: { sm: 'none' } }}>
              {isContentLanguage(one) ? t(`language.short_${one}`) : packOf(one)?.shortName}
            </Box>
          )}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

export function ThemeSwitch({
  size = 'small',
  labelled = false,
}: {
  size?: 'small' | 'medium';
  labelled?: boolean;
}) {
  const { t } = useTranslation('app');
  const { mode, setMode } = useColorScheme();
  const options = [
    ['light', LightModeOutlined, t('settings.light')],
    ['dark', DarkModeOutlined, t('settings.dark')],
  ] as const;
  return (
    <ToggleButtonGroup
      exclusive
      size={size}
      value={mode ?? 'light'}
      aria-label={t('settings.theme')}
      onChange={(_, next: 'light' | 'dark' | null) => next && setMode(next)}
    >
      {options.map(([value, Icon, label]) => (
        <ToggleButton
          key={value}
          value={value}
          aria-label={labelled ? undefined : label}
          title={labelled ? undefined : label}
          sx={{ paddingInline: labelled ? 1.5 : 1, gap: 0.75 }}
        >
          <Icon aria-hidden sx={{ fontSize: 18 }} />
          {labelled && label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

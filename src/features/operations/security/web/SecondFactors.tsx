// How many users of each role have a second factor.
import Box from '@mui/material/Box';
import type { SecurityState } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function SecondFactors({ state: { secondFactor } }: { state: SecurityState }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  return (
    <Section title={t('security.factor_title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {secondFactor.map(({ role, on, total }) => {
          const ratio = total === 0 ? 0 : on / total;
          // used as: 'security.role_*'
          const roleName = t(`security.role_${role}`);
          const label =
            total === 0
              ? `${roleName} · ${t('security.factor_none')}`
              : t('security.factor_of', {
                  role: roleName,
                  on: format.number(on),
                  total: format.number(total),
                });
          return <ProgressBar key={role} ratio={ratio} label={label} />;
        })}
      </Box>
    </Section>
  );
}

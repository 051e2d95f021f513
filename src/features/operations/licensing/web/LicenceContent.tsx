// The content of a license, before and after signing: its rights and its machine.
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { LicencePreview } from '../contract.ts';
import { partKinds } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

type Content = Pick<LicencePreview, 'quantity' | 'features' | 'limits' | 'parts' | 'threshold' | 'isWeak'>;

/** Its rows for {@link Facts}. */
export function useContentFacts(): (content: Content) => readonly (readonly [string, ReactNode])[] {
  const { t } = useTranslation('licensing');
  const format = useFormat();
  // used as: 'licensing.part_*', 'licensing.limit_*'
  const nameOf = (kind: string): string => {
    const known = partKinds.find((each) => each === kind);
    return known ? t(`licensing.part_${known}`) : kind;
  };
  return ({ quantity, features, limits, parts, threshold }) => [
    [t('licensing.quantity'), quantity],
    [
      t('licensing.limits'),
      t(`licensing.limit_${limits.quota}`, { amount: limits.amount ?? '', unit: limits.unit ?? '' }),
    ],
    ...(features.length === 0 ? [] : [[t('licensing.features'), format.list(features)] as const]),
    [
      t('licensing.bound_to'),
      <>
        {format.list(
          parts.map(({ kind, count }) =>
            count === 1 ? nameOf(kind) : t('licensing.part', { name: nameOf(kind), count }),
          ),
        )}
        <Typography variant="caption" component="p" color="textSecondary">
          {t('licensing.bound_rule', { parts: parts.length, threshold })}
        </Typography>
      </>,
    ],
  ];
}

export function WeakNotice({ isWeak }: { isWeak: boolean }) {
  const { t } = useTranslation('licensing');
  return isWeak ? <Alert severity="warning">{t('licensing.weak')}</Alert> : null;
}

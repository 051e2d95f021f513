// A reseller's mark-ups on its own prices, by starting month, with an example of the calculation.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDecimal } from '#kernel/format-money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { noMarkUps } from '#features/selling/resale/rules.ts';
import { resellersQueries } from './api.ts';
import { MarkUpDialog } from './MarkUpDialog.tsx';

export function MarkUpSection({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <QueryState query={useQuery(resellersQueries.listMarkUps())}>
      {({ items, first }) => (
        <Section
          title={t('resellers.mark_ups')}
          lead={t('resellers.mark_ups_lead')}
          flush
          actions={
            mayWrite && (
              <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsEditing(true)}>
                {t('resellers.set_mark_ups')}
              </Button>
            )
          }
        >
          <PlainTable
            label={t('resellers.mark_ups')}
            heads={[t('resellers.from'), t('resellers.percent'), t('resellers.own_services')]}
            rows={(items.length === 0 ? [{ from: first, markUps: noMarkUps }] : items).map(
              ({ from, markUps }) => ({
                key: from,
                cells: [
                  format.month(from),
                  `${formatDecimal(markUps.percent)}%`,
                  String(markUps.services.length),
                ],
              }),
            )}
          />
          {isEditing && <MarkUpDialog latest={items[0]} first={first} onClose={() => setIsEditing(false)} />}
        </Section>
      )}
    </QueryState>
  );
}

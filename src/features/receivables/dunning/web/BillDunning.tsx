// The dunning steps of a bill, the next step, and a form to grant a later date: a part of the Admin's bill
// page.
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import type { DunningHistory } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { dunningKey, dunningQueries } from './api.ts';
import { useActionName } from './action-words.ts';
import { GrantDialog } from './GrantDialog.tsx';

export function BillDunning({
  bill,
}: {
  bill: Pick<BillDetail, 'id' | 'number' | 'state' | 'organizationId' | 'organization'>;
}) {
  const { t } = useTranslation('dunning');
  const [isGranting, setGranting] = useState(false);
  useLive('billing', [dunningKey('billDunning')]);
  const { data } = useQuery(dunningQueries.billDunning({ billId: bill.id }));
  if (!data || (data.items.length === 0 && (!data.isOn || data.now === null))) return null;
  return (
    <PanelPart
      title={t('dunning.history')}
      actions={
        <>
          {bill.state === 'open' && (
            <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => setGranting(true)}>
              {t('dunning.extend')}
            </Button>
          )}
        </>
      }
    >
      <Now history={data} />
      {data.items.length > 0 && <Happened history={data} />}
      {isGranting && (
        <GrantDialog bill={{ ...bill, billId: bill.id }} action="extend" onClose={() => setGranting(false)} />
      )}
    </PanelPart>
  );
}

function Now({ history: { now, isExempt } }: { history: DunningHistory }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const name = useActionName();
  if (isExempt) return <StatusBadge tone="neutral" label={t('dunning.exempt_choose')} />;
  if (!now?.next) return null;
  return (
    <Typography variant="body2">
      {t('dunning.next_line', { action: name(now.next.action), date: format.day(now.next.on) })}
    </Typography>
  );
}

function Happened({ history }: { history: DunningHistory }) {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  // used as: 'dunning.history_*'
  return (
    <Stack component="ol" sx={{ listStyle: 'none', padding: 0, margin: '8px 0 0', gap: 1 }}>
      {history.items.map(({ at, kind, due, until, by, said }) => (
        <Stack
          component="li"
          key={`${at.toISOString()} ${kind} ${until ?? ''}`}
          sx={{ flexDirection: { xs: 'column', sm: 'row' }, gap: { xs: 0, sm: 2 } }}
        >
          <Typography variant="body2" color="textSecondary" sx={{ minWidth: 150 }}>
            <Moment at={at} as="dateTime" />
          </Typography>
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="body2">
              {t(`dunning.history_${kind}`, { date: until === null ? '' : format.day(until) })}
              {due && kind !== 'skipped' ? ` · ${format.money(due)}` : ''}
            </Typography>
            {(by !== '' || said !== '') && (
              <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                {[by, said].filter((part) => part !== '').join(' · ')}
              </Typography>
            )}
          </Box>
        </Stack>
      ))}
    </Stack>
  );
}

// The allowances of an e-invoice: the amount and reason of each, and buttons to void or settle them.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Allowance, EinvoiceDocument } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { SettleAllowanceDialog, VoidAllowanceDialog } from './AllowanceDialogs.tsx';
import { AllowanceState } from './EinvoiceState.tsx';
import { useErrorWords } from './error-words.ts';

export function AllowanceList({ one }: { one: EinvoiceDocument }) {
  const { t } = useTranslation('einvoices');
  const [voiding, setVoiding] = useState<Allowance>();
  const [settling, setSettling] = useState<Allowance>();
  if (one.allowances.length === 0) return null;
  return (
    <PanelPart title={t('einvoices.allowances')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {one.allowances.map((allowance) => (
          <Item
            key={allowance.id}
            allowance={allowance}
            actions={
              <>
                {allowance.isUnsure && allowance.state !== 'sent' && (
                  <Button size="small" aria-haspopup="dialog" onClick={() => setSettling(allowance)}>
                    {t('einvoices.settle')}
                  </Button>
                )}
                {!allowance.isUnsure && (allowance.state === 'sent' || allowance.state === 'failed') && (
                  <Button
                    size="small"
                    color="error"
                    aria-haspopup="dialog"
                    onClick={() => setVoiding(allowance)}
                  >
                    {t('einvoices.void_allowance')}
                  </Button>
                )}
              </>
            }
          />
        ))}
      </Box>
      {voiding && <VoidAllowanceDialog allowance={voiding} onClose={() => setVoiding(undefined)} />}
      {settling && <SettleAllowanceDialog allowance={settling} onClose={() => setSettling(undefined)} />}
    </PanelPart>
  );
}

function Item({ allowance, actions }: { allowance: Allowance; actions: React.ReactNode }) {
  const { t } = useTranslation('einvoices');
  const words = useErrorWords();
  return (
    <Box
      component="li"
      sx={{ paddingBlock: 1, borderTop: '1px solid', borderColor: 'divider', fontSize: '0.875rem' }}
    >
      <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between', alignItems: 'flex-start' }}>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            {allowance.number !== null && (
              <Box component="span" className="tabular" sx={{ fontWeight: 700 }}>
                {allowance.number}
              </Box>
            )}
            <AllowanceState state={allowance.state} />
          </Stack>
          <Typography variant="caption" component="p" color="textSecondary">
            <Moment at={allowance.madeAt} />
            {' · '}
            {allowance.creditNoteNumber === null
              ? t('einvoices.allowance_whole')
              : t('einvoices.allowance_for', { number: allowance.creditNoteNumber })}
          </Typography>
          {allowance.errorCode !== null && (
            <Typography variant="caption" component="p" color="error">
              {words(allowance.errorCode, allowance.errorWords ?? '')}
            </Typography>
          )}
        </Box>
        <Money amount={allowance.total} />
      </Stack>
      {actions && (
        <Stack direction="row" sx={{ gap: 1, marginInlineStart: '-5px' }}>
          {actions}
        </Stack>
      )}
    </Box>
  );
}

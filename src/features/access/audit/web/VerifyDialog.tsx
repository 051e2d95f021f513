// Verifies the hash chain in chunks, with progress, and shows a row that does not match.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditVerification } from '../contract.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { auditApi } from './api.ts';

type Found = AuditVerification & { readonly seconds: number };

export function VerifyDialog({ onClose, onOpen }: { onClose: () => void; onOpen: (rowId: string) => void }) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  const [sofar, setSofar] = useState<AuditVerification>();
  const walk = useQuery({
    queryKey: ['audit', 'verify'],
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<Found> => {
      const begun = nowMs();
      for (let after = 0; ;) {
        const found = await auditApi.verifyAudit({ after }, { signal });
        if (found.isDone) return { ...found, seconds: (nowMs() - begun) / 1000 };
        setSofar(found);
        after = found.checkedTo;
      }
    },
  });
  return (
    <Modal
      open
      title={t('audit.verify_title')}
      onClose={onClose}
      actions={
        <Button variant={walk.data ? 'contained' : 'text'} onClick={onClose}>
          {t(walk.data ? 'audit.close' : 'ui.cancel')}
        </Button>
      }
    >
      {/* As high as its outcome from the beginning, so that the button below does not move. */}
      <Box sx={{ minHeight: { sm: 158 } }}>
        {walk.error ? (
          <ErrorState error={walk.error} onRetry={() => void walk.refetch()} />
        ) : walk.data ? (
          <Outcome found={walk.data} onOpen={onOpen} />
        ) : (
          <ProgressBar
            label={t('audit.verifying')}
            ratio={sofar && sofar.total > 0 ? sofar.checkedTo / sofar.total : 0}
            {...(sofar && {
              note: t('audit.verify_note', {
                done: format.number(sofar.checkedTo),
                total: format.number(sofar.total),
              }),
            })}
          />
        )}
      </Box>
    </Modal>
  );
}

function Outcome({
  found: { fault, total, head, seconds },
  onOpen,
}: {
  found: Found;
  onOpen: (rowId: string) => void;
}) {
  const { t } = useTranslation('audit');
  const format = useFormat();
  if (fault) {
    const { id } = fault;
    return (
      <Stack sx={{ gap: 2 }}>
        {/* used as: 'audit.fault_*' */}
        <Alert severity="error" role="alert">
          {t(`audit.fault_${fault.reason}`, { seq: format.number(fault.seq) })}
          {id !== null && (
            <>
              {' '}
              <Link
                component="button"
                type="button"
                onClick={() => onOpen(id)}
                sx={{ verticalAlign: 'baseline', overflowWrap: 'anywhere' }}
              >
                {id}
              </Link>
            </>
          )}
        </Alert>
        <Typography variant="body2">{t('audit.fault_hint')}</Typography>
      </Stack>
    );
  }
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="success" role="status">
        {t('audit.verify_whole', { total: format.number(total), seconds: format.number(seconds.toFixed(1)) })}
      </Alert>
      <Stack sx={{ gap: 0.5 }}>
        <Typography variant="subtitle2" component="h3">
          {t('audit.verify_head')}
        </Typography>
        <Typography
          component="p"
          sx={{ fontFamily: 'monospace', fontSize: '0.8125rem', overflowWrap: 'anywhere' }}
        >
          {head} <CopyButton inText text={head} label={t('audit.copy_hash')} />
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {t('audit.verify_head_hint')}
        </Typography>
      </Stack>
    </Stack>
  );
}

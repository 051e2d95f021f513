// An export: its files for each program, its content, who downloaded which file, and its withdrawal.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { JournalDetail } from '../contract.ts';
import { AccountSums } from './AccountSums.tsx';
import { accountingQueries } from './api.ts';
import { FileList, useFileName } from './FileList.tsx';
import { usePeriodName } from './names.ts';
import { Vouchers } from './Vouchers.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';

export function ExportPanel({ exportId, onClose }: { exportId: Id<'jex'>; onClose: () => void }) {
  const { t } = useTranslation('accounting');
  const periodName = usePeriodName();
  const query = useQuery(accountingQueries.getJournal({ exportId }));
  const period = query.data ? periodName(query.data.period) : '';
  return (
    <SidePanel open title={t('accounting.detail', { period })} onClose={onClose} width={860}>
      <QueryState query={query} skeleton={<Lines count={8} />}>
        {(journal) => <Detail journal={journal} />}
      </QueryState>
    </SidePanel>
  );
}

function Detail({ journal }: { journal: JournalDetail }) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const { withdrawn, made, digest, sequence } = journal;
  return (
    <Stack sx={{ gap: 3 }}>
      {withdrawn && (
        <Alert severity="warning">
          {t('accounting.withdrawn_because', {
            name: withdrawn.name,
            at: format.dateTime(withdrawn.at),
            reason: withdrawn.reason,
          })}
        </Alert>
      )}
      <Facts
        items={[
          [
            t('accounting.sequence'),
            sequence === 1
              ? t('accounting.sequence_first')
              : t('accounting.sequence_more', { number: format.number(sequence - 1) }),
          ],
          [t('accounting.made_by'), made.name],
          [t('accounting.made_at'), <Moment key="at" at={made.at} as="dateTime" />],
          [
            t('accounting.vouchers'),
            t('accounting.vouchers_lead', {
              vouchers: format.number(journal.vouchers),
              lines: format.number(journal.lines),
              transactions: format.number(journal.transactions),
            }),
          ],
          [t('accounting.digest_of_export'), <Digest key="digest" value={digest} />],
        ]}
      />
      <FileList journal={journal} />
      <AccountSums accounts={journal.accounts} totals={journal.totals} level={3} />
      <Vouchers vouchers={journal.shown} total={journal.vouchers} level={3} />
      <Taken files={journal.files} />
      {withdrawn === null && (
        <Stack direction="row">
          <Button
            aria-haspopup="dialog"
            color="error"
            variant="outlined"
            onClick={() => setIsWithdrawing(true)}
          >
            {t('accounting.withdraw')}
          </Button>
        </Stack>
      )}
      {isWithdrawing && <WithdrawDialog journal={journal} onClose={() => setIsWithdrawing(false)} />}
    </Stack>
  );
}

const Digest = ({ value }: { value: string }) => (
  <Typography component="code" variant="caption" sx={{ overflowWrap: 'anywhere', fontFamily: 'monospace' }}>
    {value}
  </Typography>
);

function Taken({ files }: Pick<JournalDetail, 'files'>) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const fileName = useFileName();
  return (
    <Section title={t('accounting.taken')} lead={t('accounting.taken_lead')} level={3} flush>
      {files.length === 0 ? (
        <Typography
          variant="body2"
          color="textSecondary"
          sx={{ padding: { xs: '0 16px 16px', sm: '0 24px 16px' } }}
        >
          {t('accounting.taken_none')}
        </Typography>
      ) : (
        <PlainTable
          label={t('accounting.taken')}
          words={4}
          heads={[
            t('accounting.file'),
            t('accounting.taken_by'),
            t('accounting.taken_at'),
            t('accounting.digest'),
            t('accounting.size'),
          ]}
          rows={files.map((one) => ({
            key: one.id,
            cells: [
              fileName(one),
              one.taken.name,
              <Moment key="at" at={one.taken.at} as="dateTime" />,
              <Digest key="digest" value={one.digest.slice(0, 12)} />,
              format.bytes(one.bytes),
            ],
          }))}
        />
      )}
    </Section>
  );
}

// One backup: its content, and the result of its verification, figure by figure.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Backup, BackupContent } from '../contract.ts';
import { isCurrency, money } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { BackupBadge, useCause } from './BackupList.tsx';

export function BackupPanel({ backup, onClose }: { readonly backup: Backup; readonly onClose: () => void }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const cause = useCause();
  const { content, proof, differences, fileName, sizeBytes, problem } = backup;
  return (
    <SidePanel
      open
      title={t('backups.detail_title', { date: format.dateTime(backup.askedAt) })}
      onClose={onClose}
      width={640}
    >
      <Stack sx={{ gap: 3 }}>
        {problem !== null && <Alert severity="error">{problem}</Alert>}
        {proof === 'proven' && content && (
          <Alert severity="success">
            {t('backups.detail_proven', {
              rows: format.number(content.rows),
              tables: format.number(content.tables),
            })}
          </Alert>
        )}
        {proof === 'different' && <Alert severity="error">{t('backups.detail_different')}</Alert>}
        {proof === 'not_allowed' && <Alert severity="warning">{t('backups.detail_not_allowed')}</Alert>}
        {differences.length > 0 && (
          <Figures
            head={[t('backups.figure'), t('backups.original'), t('backups.restored')]}
            rows={differences.map(({ what, expected, found }) => [what, expected, found])}
          />
        )}
        <Facts
          items={[
            [t('backups.state'), <BackupBadge key="state" backup={backup} />],
            [t('backups.cause'), cause(backup)],
            ...(fileName === null || sizeBytes === null
              ? []
              : [[t('backups.folder'), fileName + format.aside(format.bytes(sizeBytes))] as const]),
            ...(content
              ? [
                  [
                    t('backups.content'),
                    t('backups.detail_made_by', { version: content.version, postgres: content.postgres }),
                  ] as const,
                ]
              : []),
          ]}
        />
        {content && <Totals content={content} isProven={proof === 'proven'} />}
      </Stack>
    </SidePanel>
  );
}

function Totals({
  content: { totals },
  isProven,
}: {
  readonly content: BackupContent;
  readonly isProven: boolean;
}) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const shown = (name: string, unit: string, value: string): string => {
    if (name === 'audit_chain') return value.slice(0, 16);
    return isCurrency(unit) ? format.money(money(BigInt(value), unit)) : format.number(value);
  };
  // used as: 'backups.total_*'
  const rows = totals.map(({ name, unit, value }) => {
    const figure = shown(name, unit, value);
    return [t(`backups.total_${name}`, { unit }), figure, ...(isProven ? [figure] : [])];
  });
  return (
    <Figures
      head={[t('backups.figure'), t('backups.original'), ...(isProven ? [t('backups.restored')] : [])]}
      rows={rows}
    />
  );
}

function Figures({
  head,
  rows,
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}) {
  return (
    <TableContainer tabIndex={0} role="region" aria-label={head[0]}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {head.map((name, place) => (
              <TableCell key={name} align={place === 0 ? 'left' : 'right'}>
                {name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((cells) => (
            <TableRow key={cells[0]}>
              {cells.map((cell, place) => (
                <TableCell key={`${head[place]}`} align={place === 0 ? 'left' : 'right'}>
                  <Box component="span" className="tabular" sx={{ overflowWrap: 'anywhere' }}>
                    {cell}
                  </Box>
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

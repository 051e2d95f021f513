// The newest month packs: the content and progress of each, with buttons to stop or download it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Pack } from '../contract.ts';
import type { CallOptions, Download } from '#platform/web/api/api.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export type PackTableProps = {
  readonly packs: readonly Pack[];
  readonly onStop: (packId: Pack['id']) => void;
  readonly onTake: (packId: Pack['id'], options: CallOptions) => Promise<Download>;
};

const edges = {
  '& tr > :first-child': { paddingInlineStart: { sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { sm: '24px' } },
} as const;

export function PackTable({ packs, onStop, onTake }: PackTableProps) {
  const { t } = useTranslation('packs');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('packs.title')}
      sx={{ ...edges, '& td, & th': { paddingBlock: '8px' } }}
    >
      <Table aria-label={t('packs.title')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('packs.month')}</TableCell>
            <TableCell sx={wide}>{t('packs.state')}</TableCell>
            <TableCell sx={wide}>{t('packs.content')}</TableCell>
            <TableCell sx={wide}>{t('packs.asked')}</TableCell>
            <TableCell align="right">{t('packs.actions')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {packs.map((pack) => (
            <PackRow key={pack.id} pack={pack} onStop={onStop} onTake={onTake} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

/** On phones, all facts of a pack are below its month, so that the download button stays visible. */
const wide = { display: { xs: 'none', sm: 'table-cell' } } as const;
const quiet = { color: 'text.secondary', fontSize: 13 } as const;

function PackRow({ pack, onStop, onTake }: Omit<PackTableProps, 'packs'> & { readonly pack: Pack }) {
  const { t } = useTranslation('packs');
  const format = useFormat();
  const download = useDownload();
  const month = format.month(pack.month);
  const isMaking = pack.state === 'running' || pack.state === 'waiting';
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
        <Box sx={{ whiteSpace: 'nowrap' }}>{month}</Box>
        <Box sx={{ display: { xs: 'grid', sm: 'none' }, gap: 0.75, marginTop: 0.75 }}>
          <Box>
            <PackState pack={pack} />
          </Box>
          <Box sx={quiet}>
            <PackContent pack={pack} />
          </Box>
        </Box>
      </TableCell>
      <TableCell sx={{ ...wide, minWidth: { sm: 120, md: 150 } }}>
        <PackState pack={pack} />
      </TableCell>
      <TableCell sx={{ ...wide, minWidth: { sm: 172, md: 220 }, '&:lang(ja)': { wordBreak: 'auto-phrase' } }}>
        <PackContent pack={pack} />
      </TableCell>
      <TableCell sx={wide}>
        {pack.askedBy}
        <Box sx={{ ...quiet, whiteSpace: 'nowrap' }}>
          <Moment at={pack.askedAt} as="dateTime" />
        </Box>
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
        {isMaking && (
          <Button size="small" onClick={() => onStop(pack.id)} aria-label={t('packs.stop_of', { month })}>
            {t('packs.stop')}
          </Button>
        )}
        {pack.state === 'done' && (
          <Button
            size="small"
            variant="outlined"
            onClick={() => void download((options) => onTake(pack.id, options))}
            aria-label={t('packs.download_of', { month })}
          >
            {t('packs.download')}
          </Button>
        )}
      </TableCell>
    </TableRow>
  );
}

function PackState({ pack }: { readonly pack: Pack }) {
  const { t } = useTranslation('packs');
  const format = useFormat();
  if (pack.state === 'running')
    return (
      <ProgressBar
        label={t('packs.making')}
        ratio={pack.documentsTotal === 0 ? undefined : pack.documentsDone / pack.documentsTotal}
        note={t('packs.documents', {
          done: format.number(pack.documentsDone),
          total: format.number(pack.documentsTotal),
        })}
      />
    );
  const tone =
    pack.state === 'done'
      ? 'success'
      : pack.state === 'failed'
        ? 'error'
        : pack.state === 'interrupted'
          ? 'warning'
          : 'neutral';
  // used as: 'packs.state_*'
  return <StatusBadge tone={tone} label={t(`packs.state_${pack.state}`)} />;
}

function PackContent({ pack }: { readonly pack: Pack }) {
  const { t } = useTranslation('packs');
  const format = useFormat();
  if (pack.problem !== null) return pack.problem;
  if (pack.totals === null || pack.sizeBytes === null) return '–';
  const count = (kind: 'bills' | 'creditNotes'): string =>
    format.number(pack.totals?.reduce((sum, each) => sum + each[kind].count, 0) ?? 0);
  return (
    <>
      {t('packs.content_of', {
        bills: count('bills'),
        notes: count('creditNotes'),
        size: format.bytes(pack.sizeBytes),
      })}
      {pack.keptUntil && (
        <Box sx={quiet}>{t('packs.kept_until', { date: format.dateTable(pack.keptUntil) })}</Box>
      )}
    </>
  );
}

// The results of each check: one row per check, with its findings and what it skipped below.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { CheckResult } from '../contract.ts';
import { textOf, useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

const tones = { passed: 'success', warned: 'warning', failed: 'error' } as const;

/** Translates the checker's code into a sentence; an unknown code (from a newer server) is shown as it is. */
function useCodeText(): (
  kind: 'check' | 'finding' | 'note',
  code: string,
  params?: Readonly<Record<string, string>>,
) => string {
  useTranslation('books');
  // used as: 'books.check_*', 'books.finding_*', 'books.note_*'
  return (kind, code, params = {}) => {
    const unknown = [code, ...Object.values(params)].join(' ');
    return textOf(`books.${kind}_${code.replaceAll('-', '_')}`, params) ?? unknown;
  };
}

export function CheckResults({ checks }: { checks: readonly CheckResult[] }) {
  const { t } = useTranslation('books');
  const format = useFormat();
  const codeText = useCodeText();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('books.checks')}>
      <Table
        size="small"
        aria-label={t('books.checks')}
        sx={{
          '& tbody td, & tbody th': { verticalAlign: 'top', paddingBlock: '8px' },
          '& th:nth-of-type(2), & th:nth-of-type(3)': { width: { sm: 180 } },
        }}
      >
        <TableHead>
          <TableRow>
            <TableCell sx={{ paddingInlineStart: { sm: '24px' } }}>{t('books.check_what')}</TableCell>
            <TableCell align="right">{t('books.check_examined')}</TableCell>
            <TableCell sx={{ paddingInlineEnd: { sm: '24px' } }}>{t('books.check_result')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {checks.map((check) => (
            <TableRow key={check.id}>
              <TableCell
                component="th"
                scope="row"
                sx={{ fontWeight: 400, paddingInlineStart: { sm: '24px' } }}
              >
                {codeText('check', check.id)}{' '}
                <Typography
                  component="span"
                  variant="caption"
                  color="textSecondary"
                  sx={{ marginInlineStart: 1, whiteSpace: 'nowrap' }}
                >
                  {check.invariants.join(' ')}
                </Typography>
                {check.notes.map((note) => (
                  <Typography key={note.code} variant="caption" component="p" color="textSecondary">
                    {codeText('note', note.code, { count: format.number(Number(note.count)) })}
                  </Typography>
                ))}
                <Findings check={check} codeText={codeText} />
              </TableCell>
              <TableCell align="right" className="tabular">
                {format.number(Number(check.examined))}
              </TableCell>
              {/* used as: 'books.state_*' */}
              <TableCell sx={{ paddingInlineEnd: { sm: '24px' } }}>
                <StatusBadge tone={tones[check.verdict]} label={t(`books.state_${check.verdict}`)} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Findings({ check, codeText }: { check: CheckResult; codeText: ReturnType<typeof useCodeText> }) {
  const { t } = useTranslation('books');
  const format = useFormat();
  if (check.found === 0) return null;
  return (
    <Box component="ul" sx={{ margin: '4px 0 4px', paddingInlineStart: '20px', overflowWrap: 'anywhere' }}>
      {check.findings.map((finding, index) => (
        <Box component="li" key={index} sx={{ marginBlock: '4px' }}>
          <Box
            component="span"
            sx={{
              color: check.verdict === 'warned' ? 'warning.softText' : 'error.softText',
              fontWeight: 700,
            }}
          >
            {codeText('finding', finding.code)}
          </Box>{' '}
          <span className="tabular">{finding.subject}</span>
          <Typography variant="caption" component="div" color="textSecondary">
            {t('books.expected', { value: finding.expected || t('books.nothing') })} ·{' '}
            {t('books.actual', { value: finding.actual || t('books.nothing') })}
          </Typography>
        </Box>
      ))}
      {check.found > check.findings.length && (
        <Box component="li">
          {t('books.check_more', { count: format.number(check.found - check.findings.length) })}
        </Box>
      )}
    </Box>
  );
}

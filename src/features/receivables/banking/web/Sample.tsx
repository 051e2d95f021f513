// The first rows of a file, unchanged.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Inspection } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export function Sample({ found }: { found: Inspection }) {
  const { t } = useTranslation('banking');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('banking.sample')}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
    >
      <Table size="small" aria-label={t('banking.sample')}>
        <TableHead>
          <TableRow>
            {found.header.map((name, index) => (
              <TableCell key={index} sx={{ whiteSpace: 'nowrap' }}>
                {name === '' ? `#${index + 1}` : name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {found.sample.map((cells, row) => (
            <TableRow key={row}>
              {found.header.map((_name, index) => (
                <TableCell
                  key={index}
                  sx={{ whiteSpace: 'nowrap', maxWidth: 260, overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {cells[index] ?? ''}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

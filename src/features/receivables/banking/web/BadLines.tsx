// The lines of a file that could not be read as rows, each with its reason.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Statement } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function BadLines({ statement }: { statement: Statement }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  if (statement.refusedTotal === 0) return null;
  return (
    <Box>
      <Typography variant="subtitle2" component="h3">
        {t('banking.refused', { count: format.number(statement.refusedTotal) })}
      </Typography>
      <Box
        component="ul"
        tabIndex={0}
        sx={{ margin: 0, paddingInlineStart: '20px', maxHeight: 240, overflowY: 'auto' }}
      >
        {statement.refused.map((each) => (
          <Typography key={each.line} component="li" variant="body2">
            {t('banking.line', { line: each.line, message: each.message })}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}

// What bills drew of a commitment, the newest first.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { Use } from '../contract.ts';

export function UseList({ uses }: { uses: readonly Use[] }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  if (uses.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('commitments.no_uses')}
      </Typography>
    );
  return (
    <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {uses.map(({ bill, month, drawn, trueUp, isSettlement, at, releasedAt }) => (
        <Box
          component="li"
          key={bill.id}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            gap: '0 16px',
            paddingBlock: 1,
            borderTop: '1px solid',
            borderColor: 'divider',
            fontSize: '0.875rem',
          }}
        >
          <span>
            <Link component={RouterLink} to={`/admin/billing?bill=${bill.id}`} className="tabular">
              {bill.number}
            </Link>
            {` · ${format.month(month)}`}
            {isSettlement && ` · ${t('commitments.use_settles')}`}
          </span>
          <Box
            component="span"
            className="tabular"
            sx={{
              textAlign: 'end',
              fontWeight: 700,
              ...(releasedAt && { textDecoration: 'line-through', color: 'text.secondary' }),
            }}
          >
            {format.money(drawn)}
          </Box>
          <Typography variant="caption" component="span" color="textSecondary">
            {releasedAt ? t('commitments.use_voided') : <Moment at={at} as="dateTime" />}
          </Typography>
          <Typography
            variant="caption"
            component="span"
            color="textSecondary"
            className="tabular"
            sx={{ textAlign: 'end' }}
          >
            {trueUp.minor !== 0n && t('commitments.use_true_up', { amount: format.money(trueUp) })}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

// What moved a grant, the newest first: what happened, for which month or bill, and what was left.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { Movement } from '../contract.ts';

export function MovementList({ movements }: { movements: readonly Movement[] }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  if (movements.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('creditgrants.no_movements')}
      </Typography>
    );
  // used as: 'creditgrants.moved_*'
  return (
    <Box component="ol" reversed sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {movements.toReversed().map((movement) => (
        <Box
          component="li"
          key={movement.id}
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
            {t(`creditgrants.moved_${movement.kind}`)}
            {movement.bill && (
              <>
                {' · '}
                <Link
                  component={RouterLink}
                  to={`/admin/billing?bill=${movement.bill.id}`}
                  className="tabular"
                >
                  {movement.bill.number}
                </Link>
              </>
            )}
          </span>
          <Box component="span" className="tabular" sx={{ textAlign: 'end', fontWeight: 700 }}>
            {format.moneyChange(movement.amount)}
          </Box>
          <Typography variant="caption" component="span" color="textSecondary">
            <Moment at={movement.at} as="dateTime" />
            {` · ${format.month(movement.month)}`}
            {movement.by !== null && ` · ${movement.by}`}
          </Typography>
          <Typography
            variant="caption"
            component="span"
            color="textSecondary"
            className="tabular"
            sx={{ textAlign: 'end' }}
          >
            {t('creditgrants.left_after', { amount: format.money(movement.after) })}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

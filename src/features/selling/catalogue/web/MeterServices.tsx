// The services that use a meter, each a link to its panel.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { catalogueQueries } from './api.ts';

const shown = 20;

export function MeterServices({ meterId }: { meterId: Id<'mtr'> }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const query = useQuery(catalogueQueries.adminListServices({ meterId, limit: shown }));
  return (
    <QueryState query={query} skeleton={<Lines count={2} />}>
      {({ items, total }) => (
        <Box component="ul" sx={{ margin: 0, paddingInlineStart: '20px', fontSize: '0.875rem' }}>
          {items.map((service) => (
            <li key={service.id}>
              <Link
                component={RouterLink}
                to={`/admin/service-management?service=${service.id}`}
                sx={{
                  '@media (pointer: coarse)': { display: 'inline-flex', alignItems: 'center', minHeight: 44 },
                }}
              >
                {service.name}
              </Link>
            </li>
          ))}
          {total > items.length && (
            <Typography component="li" variant="body2" color="textSecondary">
              {t('catalogue.and_more', { count: format.number(total - items.length) })}
            </Typography>
          )}
        </Box>
      )}
    </QueryState>
  );
}

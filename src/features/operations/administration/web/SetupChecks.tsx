// The results of the server's environment checks, with advice.
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import { textOf, useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export function SetupChecks({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation('administration');
  return (
    <Box
      sx={{
        borderTop: '1px solid',
        borderColor: 'divider',
        paddingTop: 2,
        marginBottom: 2,
      }}
    >
      <Typography variant="subtitle2" component="h3">
        {t('administration.checks')}
      </Typography>
      <List dense disablePadding>
        {checks.map((check) => (
          <ListItem
            key={check.name}
            disableGutters
            secondaryAction={
              <StatusBadge
                tone={check.ok ? 'success' : 'warning'}
                label={t(check.ok ? 'administration.check_ok' : 'administration.check_advice')}
              />
            }
            sx={{ paddingInlineEnd: '110px', '& .MuiListItemSecondaryAction-root': { insetInlineEnd: 0 } }}
          >
            {/* used as: 'administration.check_*' */}
            <ListItemText
              sx={{ marginBlock: '4px' }}
              primary={<CheckResult check={check} />}
              secondary={check.ok ? undefined : textOf(`administration.check_${check.name}_hint`)}
              slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
            />
          </ListItem>
        ))}
      </List>
    </Box>
  );
}

/** A check with its result next to it; on a phone, the result is below. */
function CheckResult({ check: { name, detail } }: { check: Check }) {
  return (
    <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      <span>{textOf(`administration.check_${name}`) ?? name}</span>
      {/* used as: 'administration.found_*' */}
      <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere', minWidth: 0 }}>
        {(name === 'database' && textOf(`administration.found_${detail}`)) || detail}
      </Box>
    </Box>
  );
}

// Templates of rate cards: all of them while there is no charge, otherwise a menu beside the charges.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { chargeTemplates, type ChargeTemplate } from './charge-templates.ts';

const isTemplate = (key: string): key is ChargeTemplate => key in chargeTemplates;
const templates = Object.keys(chargeTemplates).filter(isTemplate);

export function TemplateChoice({
  onChoose,
  isMenu = false,
}: {
  onChoose: (template: ChargeTemplate) => Promise<void>;
  isMenu?: boolean;
}) {
  const { t } = useTranslation('catalogue');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (isMenu)
    return (
      <>
        <Button
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {t('catalogue.template_add')}
        </Button>
        {anchor && (
          <Menu anchorEl={anchor} open onClose={() => setAnchor(null)}>
            {templates.map((template) => (
              <MenuItem
                key={template}
                onClick={() => {
                  setAnchor(null);
                  void onChoose(template);
                }}
              >
                <ListItemText
                  primary={t(chargeTemplates[template].name)}
                  secondary={t(chargeTemplates[template].help)}
                  slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
                />
              </MenuItem>
            ))}
          </Menu>
        )}
      </>
    );
  return (
    <Box role="group" aria-label={t('catalogue.templates')}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
        {t('catalogue.templates_lead')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 168px), 1fr))',
        }}
      >
        {templates.map((template) => (
          <ButtonBase
            key={template}
            onClick={() => void onChoose(template)}
            sx={{
              display: 'flex',
              flexDirection: 'column',
              alignItems: 'flex-start',
              justifyContent: 'flex-start',
              textAlign: 'start',
              padding: '10px 12px',
              border: '1px solid',
              borderColor: 'divider',
              borderRadius: '5px',
              '&:hover': { borderColor: 'primary.main', bgcolor: 'primary.soft' },
            }}
          >
            <Typography variant="body2" component="span" sx={{ display: 'block', fontWeight: 700 }}>
              {t(chargeTemplates[template].name)}
            </Typography>
            <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
              {t(chargeTemplates[template].help)}
            </Typography>
          </ButtonBase>
        ))}
      </Box>
    </Box>
  );
}

// One price of one meter, or several charges; the rest of a service's form depends on this choice.
import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import Typography from '@mui/material/Typography';
import { useController } from 'react-hook-form';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { priceForms } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';

export function PriceFormChoice({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const { field } = useController({ control: form.control, name: 'priceForm' });
  return (
    <Box
      component="fieldset"
      sx={{
        border: 0,
        margin: 0,
        marginBottom: 3,
        padding: 0,
        minWidth: 0,
        display: 'grid',
        gap: 1.5,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <Typography component="legend" variant="h3" sx={{ padding: 0, marginBottom: 2 }}>
        {t('catalogue.price_form')}
      </Typography>
      {/* used as: 'catalogue.price_form_*', 'catalogue.price_form_help_*' */}
      {priceForms.map((one) => (
        <Box
          key={one}
          component="label"
          sx={{
            display: 'flex',
            gap: 0.5,
            alignItems: 'flex-start',
            padding: '8px 12px 12px 4px',
            border: '1px solid',
            borderColor: field.value === one ? 'primary.main' : 'divider',
            borderRadius: '5px',
            cursor: 'pointer',
            boxShadow:
              field.value === one ? (theme) => `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
          }}
        >
          <Radio
            size="small"
            name={field.name}
            value={one}
            checked={field.value === one}
            onChange={() => field.onChange(one)}
            slotProps={{
              input: {
                'aria-label': t(`catalogue.price_form_${one}`),
                'aria-describedby': `price-form-${one}`,
              },
            }}
          />
          <Box sx={{ paddingTop: '7px', minWidth: 0 }}>
            <Typography variant="body2" component="span" sx={{ fontWeight: 700, display: 'block' }}>
              {t(`catalogue.price_form_${one}`)}
            </Typography>
            <Typography
              id={`price-form-${one}`}
              variant="caption"
              component="span"
              color="textSecondary"
              sx={{ display: 'block' }}
            >
              {t(`catalogue.price_form_help_${one}`)}
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

// Fields of a form that most people leave as they are: hidden until asked for.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { get, useFormState, type FieldPath, type FieldValues } from 'react-hook-form';
import { useTranslation } from '../i18n/i18n.ts';
import type { FormOf } from './use-zod-form.ts';

/**
 * Opens by itself as soon as one of the fields in `names` has an error, and stays open while it is corrected.
 * `startsOpen` is for a form that begins with a value which must not be hidden. `inside` says what the fields
 * are about; the button's name includes it, so that a form can have several.
 */
export function MoreFields<In extends FieldValues, Sent>({
  form,
  names,
  inside,
  startsOpen = false,
  children,
}: {
  readonly form: FormOf<In, Sent>;
  readonly names: readonly FieldPath<In>[];
  readonly inside?: string;
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('platform');
  const [id, button, about] = [useId(), useId(), useId()];
  const [isOpen, setIsOpen] = useState(startsOpen);
  const { errors } = useFormState({ control: form.control });
  const hasError = names.some((name) => get(errors, name) !== undefined);
  if (hasError && !isOpen) setIsOpen(true);
  return (
    <Box sx={{ marginTop: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '0 8px' }}>
        <Button
          id={button}
          size="small"
          aria-expanded={isOpen}
          {...(inside !== undefined && { 'aria-labelledby': `${button} ${about}` })}
          aria-controls={id}
          disabled={hasError}
          onClick={() => setIsOpen(!isOpen)}
          sx={{ marginInlineStart: '-10px' }}
        >
          {t(isOpen ? 'form.less' : 'form.more')}
        </Button>
        {inside !== undefined && (
          <Typography id={about} variant="body2" component="span" color="textSecondary">
            {inside}
          </Typography>
        )}
      </Box>
      <Box id={id}>{isOpen && <Box sx={{ marginTop: 1.5 }}>{children}</Box>}</Box>
    </Box>
  );
}

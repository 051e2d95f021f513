// The browser's input for a day or a time of day. Browsers write both in their own language, whatever the
// page's is: unless the user is in the field, the value is shown in the console's language over it.
import Box from '@mui/material/Box';
import type { InputBaseComponentProps } from '@mui/material/InputBase';
import { useState, type Ref } from 'react';
import { isDay } from '#kernel/shape.ts';
import { useFormat } from '../format/use-format.ts';
import { useTranslation } from '../i18n/i18n.ts';

type PickerInputProps = InputBaseComponentProps & { readonly ref?: Ref<HTMLInputElement> };

/** Controlled; for `inputComponent` of an `OutlinedInput` whose `type` is 'date' or 'time'. */
export function PickerInput({ onBlur, ...input }: PickerInputProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const [isIncomplete, setIsIncomplete] = useState(false);
  const value = typeof input.value === 'string' ? input.value : '';
  // What the browser does not read as a value, such as a day without its year, stays visible.
  const isShown = value !== '' || !isIncomplete;
  const choose = input.type === 'time' ? t('time.choose') : t('day.choose');
  return (
    <Box sx={isShown ? covered : { display: 'contents' }}>
      <input
        {...input}
        onBlur={(event) => {
          setIsIncomplete(event.target.validity.badInput);
          onBlur?.(event);
        }}
      />
      {isShown && (
        <Box component="span" aria-hidden sx={{ ...(value === '' && { color: 'placeholder' }) }}>
          {value === '' ? choose : isDay(value) ? format.dayTable(value) : value}
        </Box>
      )}
    </Box>
  );
}

const covered = {
  display: 'contents',
  // In forced colors, the browser paints the input's text in a color of its own.
  '@media (forced-colors: none)': {
    '& > input:not(:focus)': { WebkitTextFillColor: 'transparent' },
    '& > input:not(:focus) + span': { display: 'flex' },
  },
  '& > span': {
    display: 'none',
    alignItems: 'center',
    position: 'absolute',
    insetBlock: 0,
    insetInlineStart: '14px',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
  },
} as const;

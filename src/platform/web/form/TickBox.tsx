// A checkbox or switch with its label beside it, and its help or problem below; not tied to a form.
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useEffect, useRef, type ChangeEvent, type ComponentType, type ReactNode, type Ref } from 'react';
import { useProblemText } from './Field.tsx';
import type { Problem } from './problems.ts';

/**
 * Where the label of a checkbox or a switch begins, for a text below it. With a finger's room around it, a
 * checkbox is wider.
 */
export const labelStart = {
  check: { marginInlineStart: '27px', '@media (pointer: coarse)': { marginInlineStart: '33px' } },
  switch: { marginInlineStart: '47px' },
} as const;

type Control = ComponentType<{
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>, isOn: boolean) => void;
  onBlur?: () => void;
  slotProps: { input: { ref: Ref<HTMLInputElement>; name: string; 'aria-invalid': true | undefined } };
}>;

export type TickBoxProps = {
  readonly name: string;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly isOn: boolean;
  readonly problem: Problem | undefined;
  readonly onChange: (isOn: boolean) => void;
  readonly onBlur?: () => void;
  readonly inputRef: Ref<HTMLInputElement>;
  /** The control; a checkbox when left out. */
  readonly as?: Control;
};

export function TickBox({
  name,
  label,
  help,
  isOn,
  problem,
  onChange,
  onBlur,
  inputRef,
  as: Drawn = Checkbox,
}: TickBoxProps) {
  const sentence = useProblemText(typeof label === 'string' ? label : '', problem);
  const whole = useRef<HTMLDivElement>(null);
  // Focus scrolls the box into view, but not what is below it.
  useEffect(() => {
    if (sentence !== undefined && whole.current?.contains(document.activeElement))
      whole.current.scrollIntoView({ block: 'nearest' });
  }, [sentence]);
  return (
    <FormControl ref={whole} error={sentence !== undefined}>
      <FormControlLabel
        control={
          <Drawn
            checked={isOn}
            onChange={(_, next) => onChange(next)}
            onBlur={onBlur}
            slotProps={{
              input: { ref: inputRef, name, 'aria-invalid': sentence === undefined ? undefined : true },
            }}
          />
        }
        label={label}
      />
      {(sentence ?? help) !== undefined && (
        <FormHelperText sx={{ ...(Drawn === Checkbox ? labelStart.check : labelStart.switch), marginTop: 0 }}>
          {sentence ?? help}
        </FormHelperText>
      )}
    </FormControl>
  );
}

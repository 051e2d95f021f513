// The frame of every field: label, input, and help or problem below, linked for screen readers.
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import { useId, type ReactNode } from 'react';
import { textOf, useLanguage, useTranslation } from '../i18n/i18n.ts';
import { readProblem, type Problem } from './problems.ts';

/** The sentence for a problem of the field called `label`. */
export function useProblemText(label: string, problem: Problem | undefined): string | undefined {
  // Retranslates when the language changes.
  useLanguage();
  const { t } = useTranslation('platform');
  if (problem === undefined) return undefined;
  const read = readProblem(problem);
  if ('sentence' in read) return read.sentence;
  // used as: 'form.*'
  return textOf(read.key, { field: label, ...read.params }) ?? t('form.invalid', { field: label });
}

/** The appearance that all fields share. */
export type FieldLook = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Whether the label stands above the input and wraps ({@link wrappingLabel}). */
  readonly wraps?: boolean;
};

/**
 * A label above its input that wraps, instead of one on its border that is cut off: for labels with names that
 * people have typed, such as those of charges.
 */
export const wrappingLabel = {
  // After the name of a charge, Chinese words stay whole.
  wordBreak: 'keep-all',
  position: 'static',
  transform: 'none',
  maxWidth: '100%',
  marginBottom: '4px',
  fontSize: '0.875rem',
  lineHeight: 22 / 14,
  whiteSpace: 'normal',
  overflow: 'visible',
  overflowWrap: 'anywhere',
} as const;

export type FieldProps = FieldLook & {
  readonly problem: Problem | undefined;
  /** The label is drawn above the value even while it is empty (dates, native selects). */
  readonly raised?: boolean;
  readonly children: (ids: { readonly input: string; readonly described: string }) => ReactNode;
};

export function Field({
  label,
  problem,
  help,
  required = false,
  disabled = false,
  raised = false,
  wraps = false,
  children,
}: FieldProps) {
  const input = useId();
  const described = `${input}-help`;
  const sentence = useProblemText(label, problem);
  return (
    <FormControl
      fullWidth
      size="small"
      error={sentence !== undefined}
      required={required}
      disabled={disabled}
    >
      <InputLabel
        htmlFor={input}
        {...((raised || wraps) && { shrink: true })}
        {...(wraps && { sx: wrappingLabel })}
      >
        {label}
      </InputLabel>
      {children({ input, described })}
      <FormHelperText id={described} component="div">
        {sentence ?? help ?? ' '}
      </FormHelperText>
    </FormControl>
  );
}

// Selects a picture from this device, or removes the current one: a logo, a person's photo.
import Button, { type ButtonProps } from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useRef, type ReactNode } from 'react';
import { FileInput } from '../form/FileInput.tsx';

export type PictureButtonsProps = {
  /** The accepted media types. */
  readonly types: readonly string[];
  readonly words: {
    /** The label of the select button. */
    readonly choose: string;
    readonly remove: string;
    /** What is removed, for screen readers; by default the button's label. */
    readonly removeNamed?: string;
    /** The accessible name of the hidden file input. */
    readonly file: string;
  };
  /** Before the buttons: the current picture. */
  readonly picture?: ReactNode;
  readonly icon?: ReactNode;
  readonly size?: ButtonProps['size'];
  readonly isSending?: boolean;
  readonly isRemoving?: boolean;
  readonly onChoose: (file: File) => void;
  /** Undefined while there is none to remove. */
  readonly onRemove?: (() => void) | undefined;
};

export function PictureButtons({
  types,
  words,
  picture,
  icon,
  size = 'medium',
  isSending = false,
  isRemoving = false,
  onChoose,
  onRemove,
}: PictureButtonsProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {picture}
        <Button
          variant="outlined"
          size={size}
          startIcon={icon}
          loading={isSending}
          onClick={() => input.current?.click()}
        >
          {words.choose}
        </Button>
        {onRemove && (
          <Button
            color="error"
            size={size}
            aria-label={words.removeNamed}
            loading={isRemoving}
            onClick={onRemove}
          >
            {words.remove}
          </Button>
        )}
      </Stack>
      <FileInput ref={input} label={words.file} accept={types} onFile={onChoose} />
    </>
  );
}

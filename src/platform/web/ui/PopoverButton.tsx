// An icon button with a small panel, whose code is loaded when it opens.
import Popover from '@mui/material/Popover';
import { Suspense, useState, type ReactNode } from 'react';
import { IconAction } from './IconAction.tsx';
import { Spinner } from './Spinner.tsx';

export type PopoverButtonProps = {
  /** The accessible name of the button and the panel. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly children: (close: () => void) => ReactNode;
};

export function PopoverButton({ label, icon, children }: PopoverButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconAction
        label={label}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {icon}
      </IconAction>
      {anchor && (
        <Popover
          open
          anchorEl={anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-label': label,
              sx: { width: 320, maxWidth: 'calc(100vw - 32px)' },
            },
          }}
        >
          <Suspense fallback={<Spinner />}>{children(close)}</Suspense>
        </Popover>
      )}
    </>
  );
}

// A button that opens the export formats of a list, each with a short description.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';

export type ExportMenuProps<Format extends string> = {
  readonly label: string;
  readonly formats: readonly { readonly value: Format; readonly name: string; readonly hint: string }[];
  readonly onTake: (format: Format) => void;
  readonly disabled?: boolean;
  /** 'contained' if it is the page's main action. */
  readonly variant?: 'contained' | 'outlined';
};

export function ExportMenu<Format extends string>({
  label,
  formats,
  onTake,
  disabled = false,
  variant = 'outlined',
}: ExportMenuProps<Format>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const take = (format: Format): void => {
    setAnchor(null);
    onTake(format);
  };
  return (
    <>
      <Button
        variant={variant}
        startIcon={<FileDownloadOutlined />}
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        data-screen-only
      >
        {label}
      </Button>
      {anchor && (
        <Menu anchorEl={anchor} open onClose={() => setAnchor(null)}>
          {formats.map(({ value, name, hint }) => (
            <MenuItem key={value} onClick={() => take(value)}>
              <ListItemText
                primary={name}
                secondary={hint}
                slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
              />
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}

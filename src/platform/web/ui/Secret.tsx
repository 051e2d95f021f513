// A secret that is shown once, with a copy button.
import Box from '@mui/material/Box';
import { CopyButton } from './CopyButton.tsx';

/** `label` names the copy button: "Copy the password". */
export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        padding: '8px 8px 8px 12px',
        bgcolor: 'sunken',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      <Box
        component="code"
        sx={{
          flex: 1,
          minWidth: 0,
          overflowWrap: 'anywhere',
          fontFamily: 'monospace',
          fontSize: '0.9375rem',
          userSelect: 'all',
        }}
      >
        {text}
      </Box>
      <CopyButton text={text} label={label} />
    </Box>
  );
}

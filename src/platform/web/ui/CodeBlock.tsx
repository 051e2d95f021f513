// Code or a command, with a copy button.
import Box from '@mui/material/Box';
import { CopyButton } from './CopyButton.tsx';

/** `label` names the copy button: "Copy the example". */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        bgcolor: 'sunken',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      <Box
        component="pre"
        tabIndex={0}
        sx={{
          flex: 1,
          minWidth: 0,
          margin: 0,
          padding: '12px 8px 12px 16px',
          overflow: 'auto',
          fontFamily: 'monospace',
          fontSize: '0.8125rem',
          lineHeight: 1.6,
        }}
      >
        <code>{code}</code>
      </Box>
      <Box sx={{ padding: '6px' }}>
        <CopyButton text={code} label={label} />
      </Box>
    </Box>
  );
}

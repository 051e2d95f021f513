// Keys as drawn on a keyboard.
import Box from '@mui/material/Box';

export type KeysProps = {
  /** Pressed one after the other; simultaneously if the first is Ctrl, Shift or ⌘. */
  readonly keys: readonly string[];
  /** Shown next to a name with the same meaning, so hidden from screen readers and on phones. */
  readonly isHint?: boolean;
};

export function Keys({ keys, isHint = false }: KeysProps) {
  return (
    <Box
      component="span"
      aria-hidden={isHint}
      sx={{ display: isHint ? { xs: 'none', sm: 'inline-flex' } : 'inline-flex', gap: '4px', flexShrink: 0 }}
    >
      {keys.map((key) => (
        <Box
          key={key}
          component="kbd"
          sx={{
            minWidth: 22,
            paddingInline: '5px',
            font: 'inherit',
            fontSize: '0.75rem',
            lineHeight: '20px',
            textAlign: 'center',
            border: '1px solid',
            borderColor: 'control',
            borderRadius: '4px',
            color: 'inherit',
          }}
        >
          {key}
        </Box>
      ))}
    </Box>
  );
}

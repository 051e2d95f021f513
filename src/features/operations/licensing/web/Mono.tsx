// Ids and digests in a monospaced font, in which similar letters can be distinguished.
import Typography from '@mui/material/Typography';

export function Mono({ text }: { text: string }) {
  return (
    <Typography
      component="span"
      sx={{ fontFamily: 'monospace', fontSize: '0.8125rem', overflowWrap: 'anywhere' }}
    >
      {text}
    </Typography>
  );
}

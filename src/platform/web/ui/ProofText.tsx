// Whether figures that must be equal are: a sentence with an icon, below a table.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

export function ProofText({ isRight, children }: { isRight: boolean; children: string }) {
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        gap: 1,
        alignItems: 'flex-start',
        padding: { xs: '12px 16px 16px', sm: '12px 24px 16px' },
        color: isRight ? 'success.main' : 'error.main',
      }}
    >
      {isRight ? <CheckCircleOutlined aria-hidden /> : <ErrorOutlineOutlined aria-hidden />}
      <Typography variant="body2">{children}</Typography>
    </Box>
  );
}

// A page whose code, texts or session is still loading. Signed-in pages already show their bar, as index.html
// draws it before any code has loaded; the styles there apply to both.
import Box from '@mui/material/Box';
import { brandTitle } from '#kernel/brand-title.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { Logo } from './Logo.tsx';

export function LoadingPage() {
  const name = useBrand(brandTitle);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
      <div className="first-bar" aria-hidden>
        <Logo size={26} onColour />
        <span className="first-name">{name}</span>
      </div>
      <Spinner />
    </Box>
  );
}

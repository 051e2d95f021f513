// The header of the pages before sign-in: the name with a link home, language and theme.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { brandTitle } from '#kernel/brand-title.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { Logo } from './Logo.tsx';
import { LanguageSwitch, ThemeSwitch } from './Switches.tsx';

export function WelcomeHead() {
  const title = useBrand(brandTitle);
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        // Space for a name of two lines: it loads after the first paint, and nothing below it may move.
        minHeight: 72,
        justifyContent: 'space-between',
      }}
    >
      <Box
        component={Link}
        to="/"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.25,
          color: 'inherit',
          textDecoration: 'none',
          minHeight: 44,
          minWidth: 0,
        }}
      >
        <Logo size={32} />
        <Typography component="span" variant="h2" sx={{ overflowWrap: 'anywhere', lineHeight: 1.3 }}>
          {title}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexShrink: 0 }}>
        <LanguageSwitch />
        <ThemeSwitch />
      </Box>
    </Box>
  );
}

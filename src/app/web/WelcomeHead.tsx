// The header of the pages before sign-in: the name with a link home, language and theme.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { brandTitle, useBrand } from '#platform/web/shell/brand.ts';
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
        minHeight: 72,
        flexWrap: 'wrap',
        paddingBlock: 1,
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
        }}
      >
        <Logo size={32} />
        <Typography component="span" variant="h2">
          {title}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <LanguageSwitch />
        <ThemeSwitch />
      </Box>
    </Box>
  );
}

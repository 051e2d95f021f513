// The logo: a reseller's own, or the console's, a cloud with tally marks.
import Box from '@mui/material/Box';
import { useBrand } from '#platform/web/shell/brand.ts';

/** Decorative, because the name is next to it. `size` is in pixels. */
export function Logo({ size = 28, onColour = false }: { size?: number; onColour?: boolean }) {
  const own = useBrand((brand) => brand.logo);
  // On white in both modes, because the logo's colors are unknown.
  if (own !== null)
    return (
      <Box
        component="img"
        src={own}
        alt=""
        sx={{
          height: size,
          maxWidth: size * 4,
          objectFit: 'contain',
          flexShrink: 0,
          display: 'block',
          backgroundColor: 'common.white',
          borderRadius: '4px',
          padding: '2px',
        }}
      />
    );
  return (
    <Box
      component="svg"
      viewBox="0 0 32 32"
      aria-hidden
      sx={{
        width: size,
        height: size,
        flexShrink: 0,
        display: 'block',
        color: onColour ? 'inherit' : 'logo.main',
      }}
    >
      <path
        d="M8.9 21.6a5 5 0 0 1-.5-9.96 8 8 0 0 1 15.1-1.3 5.6 5.6 0 0 1-.3 11.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <path
        d="M12.2 26v-6.2M16 26v-9.6M19.8 26v-7.6"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        opacity="0.75"
      />
    </Box>
  );
}

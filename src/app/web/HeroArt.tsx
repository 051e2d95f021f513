// The decorative picture of the home page: a bill that adds up from its bars, in the theme's colors.
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';

const bars = [38, 62, 50, 84, 70, 104, 92];

export function HeroArt() {
  const { chart, background, divider, primary, success, sunken, text } = useTheme().vars.palette;
  const lines = [
    [40, 118],
    [66, 96],
    [92, 132],
  ] as const;
  return (
    <Box
      component="svg"
      viewBox="0 0 400 300"
      aria-hidden
      sx={{ width: '100%', maxWidth: 400, display: { xs: 'none', md: 'block' }, justifySelf: 'end' }}
    >
      <rect x="8" y="60" width="250" height="200" rx="8" fill={background.paper} stroke={divider} />
      <path d="M28 224H238" stroke={divider} />
      {bars.map((height, index) => (
        <g key={height}>
          <rect x={34 + index * 29} y={224 - height} width="18" height={height * 0.45} fill={chart[1]} />
          <rect
            x={34 + index * 29}
            y={225 - height * 0.55}
            width="18"
            height={height * 0.3}
            fill={chart[5]}
          />
          <rect
            x={34 + index * 29}
            y={225 - height * 0.24}
            width="18"
            height={height * 0.24 - 1}
            fill={chart[3]}
          />
        </g>
      ))}
      <path d="M28 92h90" stroke={text.primary} strokeWidth="8" strokeLinecap="round" opacity="0.85" />
      <path
        d="M28 240h26M80 240h26M132 240h26M184 240h26"
        stroke={divider}
        strokeWidth="6"
        strokeLinecap="round"
      />
      <g transform="translate(214 24)">
        <rect width="176" height="178" rx="8" fill={background.paper} stroke={divider} />
        <path d="M20 20h56" stroke={primary.main} strokeWidth="7" strokeLinecap="round" />
        {lines.map(([y, width]) => (
          <g key={y} strokeLinecap="round" strokeWidth="6">
            <path d={`M20 ${y}h${width - 60}`} stroke={divider} />
            <path d="M132 0h24" transform={`translate(0 ${y})`} stroke={text.secondary} opacity="0.6" />
          </g>
        ))}
        <path d="M20 114h136" stroke={divider} strokeDasharray="4 4" />
        <path d="M98 136h58" stroke={text.primary} strokeWidth="9" strokeLinecap="round" opacity="0.85" />
        <circle cx="34" cy="142" r="16" fill={success.soft} />
        <path
          d="M27 142l5 5 9-10"
          fill="none"
          stroke={success.main}
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
      <rect x="270" y="222" width="120" height="38" rx="8" fill={sunken} />
      <rect x="282" y="236" width="96" height="10" rx="5" fill={background.paper} />
      <rect x="282" y="236" width="72" height="10" rx="5" fill={primary.main} />
    </Box>
  );
}

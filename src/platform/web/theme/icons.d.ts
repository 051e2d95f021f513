// The modules that tools/web-plugins.ts makes of `~icons/ic/…`.
declare module '~icons/ic/*' {
  import type SvgIcon from '@mui/material/SvgIcon';

  const icon: typeof SvgIcon;
  export default icon;
}

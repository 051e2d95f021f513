// Derives a short device name from a user agent: "Chrome · Windows".

// The order matters: the user agents of Edge and Opera also contain Chrome, and Chrome's contains Safari.
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Returns a short device name; an unknown user agent is returned as is, cut to 60 characters. */
export function deviceName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  return browser && system ? `${browser} · ${system}` : userAgent.slice(0, 60);
}

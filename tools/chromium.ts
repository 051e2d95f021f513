// Starts the Chromium from the npm package, for screenshots, journeys and audits.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { chromium as playwright, type Browser, type BrowserContext } from '@playwright/test';

/**
 * Unpacks the browser unless that has been done, and returns its path. Call it once before several processes
 * need the browser, so that none starts a partly unpacked one.
 */
export async function unpackChromium(): Promise<string> {
  // Makes the package unpack libraries that a minimal Debian lacks; must be set before the import.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  const [executable] = await Promise.all([chromium.executablePath(), nameFonts()]);
  return executable;
}

const fontFile = path.join(tmpdir(), 'skytally-fonts.conf');
const fontPackage = path.resolve(import.meta.dirname, '../node_modules/@expo-google-fonts/noto-sans-tc');

/**
 * A minimal machine has no Chinese font, and a substitute has other widths; this adds the documents' font to
 * the system's fonts.
 */
async function nameFonts(): Promise<void> {
  const folders = ['400Regular', '500Medium', '700Bold'].map(
    (weight) => `<dir>${path.join(fontPackage, weight)}</dir>`,
  );
  await mkdir(path.dirname(fontFile), { recursive: true });
  // Several processes may write this file at the same time; the rename keeps them from reading a partial one.
  const own = `${fontFile}.${process.pid}`;
  await writeFile(
    own,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n${folders.join('\n')}\n<cachedir>${path.join(tmpdir(), 'skytally-font-cache')}</cachedir>\n</fontconfig>\n`,
  );
  await rename(own, fontFile);
}

// The package's default arguments disable web security, which a realistic test must not. There is no graphics
// card to detect, and emulating one takes a sixth of the time.
const args = [
  '--no-sandbox',
  '--headless=shell',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--disable-gpu',
  // Host names that resolve to this machine but, unlike 127.0.0.1, are not trusted: over plain http they are
  // no secure context.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];
// The package points fontconfig at its own folder, which has no Chinese font. Without a UTF-8 locale,
// downloads lose their Chinese names.
const environment = () => ({
  ...process.env,
  LC_ALL: 'C.UTF-8',
  LD_LIBRARY_PATH: path.join(tmpdir(), 'al2023/lib'),
  FONTCONFIG_PATH: '/etc/fonts',
  FONTCONFIG_FILE: fontFile,
});

// Every page load is a program that runs for a few seconds and is then discarded: fully optimizing its code
// and collecting a heap that starts small take longer than they save. Maglev, the quick optimizer, is worth
// it.
const shortLived =
  '--js-flags=--no-turbofan --initial-heap-size=512 --min-semi-space-size=32 --max-semi-space-size=64';

/** Launches a new headless browser for pages that are opened and closed, not for measurements. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpackChromium(),
    args: [...args, shortLived],
    env: environment(),
  });
}

/**
 * Launches a headless browser with its own profile folder, in Traditional Chinese, which other programs can
 * control through a local port.
 */
export async function launchProfile(folder: string, port: number): Promise<BrowserContext> {
  return playwright.launchPersistentContext(folder, {
    executablePath: await unpackChromium(),
    args: [...args, `--remote-debugging-port=${port}`],
    env: environment(),
    locale: 'zh-TW',
    viewport: { width: 1440, height: 900 },
  });
}

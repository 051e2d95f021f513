// Starts the Chromium that comes with npm, for screenshots, journeys and audits.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { chromium as playwright, type Browser, type BrowserContext } from '@playwright/test';

/** Unpacks the browser where it is not yet and answers its path. Once before several processes want it: it must not be started half written. */
export async function unpackChromium(): Promise<string> {
  // Makes the package unpack the libraries that a bare Debian lacks; must be set before it is imported.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  const [executable] = await Promise.all([chromium.executablePath(), nameFonts()]);
  return executable;
}

const fontFile = path.join(tmpdir(), 'skytally-fonts.conf');
const fontPackage = path.resolve(import.meta.dirname, '../node_modules/@expo-google-fonts/noto-sans-tc');

/** A bare machine has no Chinese font, and what is drawn without one has other widths: the font of the documents is named beside the system's own. */
async function nameFonts(): Promise<void> {
  const folders = ['400Regular', '500Medium', '700Bold'].map(
    (weight) => `<dir>${path.join(fontPackage, weight)}</dir>`,
  );
  await mkdir(path.dirname(fontFile), { recursive: true });
  // Several processes may say the same at once: none reads half of it.
  const own = `${fontFile}.${process.pid}`;
  await writeFile(
    own,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n${folders.join('\n')}\n<cachedir>${path.join(tmpdir(), 'skytally-font-cache')}</cachedir>\n</fontconfig>\n`,
  );
  await rename(own, fontFile);
}

// Its own default arguments switch web security off, which an honest test must not. There is no graphics card to find, and emulating one costs a sixth of the time.
const args = [
  '--no-sandbox',
  '--headless=shell',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--disable-gpu',
  // Names of this machine that are not trusted as 127.0.0.1 is: what is there over plain http has no secure context.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];
// The package points fontconfig at its own folder, which has no Chinese font. Without a locale that knows Unicode, downloads lose their Chinese names.
const environment = () => ({
  ...process.env,
  LC_ALL: 'C.UTF-8',
  LD_LIBRARY_PATH: path.join(tmpdir(), 'al2023/lib'),
  FONTCONFIG_PATH: '/etc/fonts',
  FONTCONFIG_FILE: fontFile,
});

// Every page load is a program that runs for seconds and is thrown away: optimizing its code fully, and tidying a heap that starts small, takes longer than either ever saves. Maglev, which optimizes quickly, pays.
const shortLived =
  '--js-flags=--no-turbofan --initial-heap-size=512 --min-semi-space-size=32 --max-semi-space-size=64';

/** A fresh headless browser for pages that are opened and left, not for measuring. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpackChromium(),
    args: [...args, shortLived],
    env: environment(),
  });
}

/** A headless browser with a folder of its own for what it keeps, in Traditional Chinese, which other programs may drive through a port of this machine. */
export async function launchProfile(folder: string, port: number): Promise<BrowserContext> {
  return playwright.launchPersistentContext(folder, {
    executablePath: await unpackChromium(),
    args: [...args, `--remote-debugging-port=${port}`],
    env: environment(),
    locale: 'zh-TW',
    viewport: { width: 1440, height: 900 },
  });
}

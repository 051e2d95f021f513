// Before the journeys: the browser side is built as `npm start` builds it, and the browser is unpacked.
import { ensureWebBuild } from '#platform/server/http/web-build.ts';
import { unpackChromium } from '../../../tools/chromium.ts';

export default async function setup(): Promise<void> {
  await Promise.all([ensureWebBuild({ info: () => undefined }), unpackChromium()]);
}

// Before the journeys: the browser side is built as `npm start` builds it.
import { ensureWebBuild } from '../src/platform/server/web-build.ts';

export default async function setup(): Promise<void> {
  await ensureWebBuild({ info: () => undefined });
}

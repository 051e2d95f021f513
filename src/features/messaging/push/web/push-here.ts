// Push in this browser: support, permission, and subscription.

/**
 * Why push cannot be enabled here; undefined when it can. 'install': iPhones and iPads support push only for
 * pages on the home screen.
 */
export type PushHindrance = 'insecure' | 'install' | 'unsupported';
/** Browsers differ in their settings, which only the user can open. */
export type BrowserKind = 'chromium' | 'firefox' | 'safari' | 'other';

type BrowserEnvironment = {
  readonly isSecure: boolean;
  readonly userAgent: string;
  readonly hasPush: boolean;
};

/** The reason why push cannot be enabled here. */
export function pushProblem({ isSecure, userAgent, hasPush }: BrowserEnvironment): PushHindrance | undefined {
  if (!isSecure) return 'insecure';
  if (hasPush) return undefined;
  return /iPhone|iPad/.test(userAgent) ? 'install' : 'unsupported';
}

/** The browser, for instructions on how to allow notifications in it. */
export function browserKind(userAgent: string): BrowserKind {
  if (/Firefox|FxiOS/.test(userAgent)) return 'firefox';
  if (/Chrome|CriOS|Edg\/|OPR\//.test(userAgent)) return 'chromium';
  return /Safari/.test(userAgent) ? 'safari' : 'other';
}

export const ownPushHindrance = (): PushHindrance | undefined =>
  pushProblem({
    isSecure: isSecureContext,
    userAgent: navigator.userAgent,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
  });
export const ownBrowserKind = (): BrowserKind => browserKind(navigator.userAgent);
export const permissionHere = (): NotificationPermission =>
  'Notification' in window ? Notification.permission : 'denied';

const workerAddress = '/push-worker.js';
export type Subscribed = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** The endpoint of this browser's subscription; null when it has none. */
export async function endpointHere(): Promise<string | null> {
  const registration =
    ownPushHindrance() === undefined
      ? await navigator.serviceWorker.getRegistration(workerAddress)
      : undefined;
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/**
 * Asks for permission if necessary, and subscribes. Undefined when the user declined. Throws the browser's
 * error when its push service cannot be reached.
 */
export async function subscribeHere(publicKey: string): Promise<Subscribed | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(workerAddress);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription with another key (of another console, or an earlier one of this console) would never get
  // messages, so it is replaced.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  ).toJSON();
  if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined)
    throw new Error('the browser made a subscription without its keys');
  return { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } };
}

/** Ends this browser's subscription. */
export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(workerAddress);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** The key of a subscription, in unpadded base64url. */
function keyOf(subscription: PushSubscription): string {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

// Shows the customer portal of a Skytally console in a page of yours. The console serves this file as /embed.js, too.

/** What the portal tells the page that shows it. */
export type PortalEvent =
  | { readonly type: 'ready' | 'expired' | 'planChanged' }
  | { readonly type: 'height'; readonly height: number }
  | PaidEvent;

/** A payment; or a consolidated bill that was paid from the balance, by a payment for each of its bills. */
type PaidEvent =
  | { readonly type: 'paid'; readonly paymentId: string; readonly consolidatedId?: undefined }
  | { readonly type: 'paid'; readonly consolidatedId: string; readonly paymentId?: undefined };

export type MountOptions = {
  /** The address of a link, made by your server for this person; it can be opened once. */
  readonly url: string;
  readonly onEvent?: (event: PortalEvent) => void;
  /** Asks your server for a new link when the session is over; without it the portal says that it has ended. */
  readonly newUrl?: () => Promise<string>;
  /** What screen readers call the frame (`Customer portal`). */
  readonly title?: string;
};
export type Mounted = {
  readonly frame: HTMLIFrameElement;
  /** Takes the portal out of the page. */
  readonly unmount: () => void;
};

/** The least height that the frame has, in pixels. */
const leastHeight = 240;

function eventOf(data: unknown): PortalEvent | undefined {
  if (
    typeof data !== 'object' ||
    data === null ||
    !('source' in data) ||
    data.source !== 'skytally' ||
    !('type' in data)
  )
    return undefined;
  switch (data.type) {
    case 'ready':
    case 'expired':
    case 'planChanged':
      return { type: data.type };
    case 'height':
      return 'height' in data && typeof data.height === 'number' && Number.isFinite(data.height)
        ? { type: 'height', height: data.height }
        : undefined;
    case 'paid':
      if ('paymentId' in data && typeof data.paymentId === 'string')
        return { type: 'paid', paymentId: data.paymentId };
      return 'consolidatedId' in data && typeof data.consolidatedId === 'string'
        ? { type: 'paid', consolidatedId: data.consolidatedId }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Shows the portal inside `element`, as high as its content. Messages count only when they come from the frame itself and from the
 * console's origin.
 */
export function mountSkytally(
  element: Element,
  { url, onEvent, newUrl, title = 'Customer portal' }: MountOptions,
): Mounted {
  const { origin } = new URL(url);
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.referrerPolicy = 'strict-origin';
  frame.style.cssText = `display:block;width:100%;border:0;height:${leastHeight}px`;
  const renew = async (): Promise<void> => {
    if (newUrl === undefined) return;
    const next = await newUrl();
    if (new URL(next).origin !== origin) throw new TypeError('the new link is of another console');
    frame.src = next;
  };
  const hear = (message: MessageEvent): void => {
    if (message.origin !== origin || message.source !== frame.contentWindow) return;
    const event = eventOf(message.data);
    if (event === undefined) return;
    if (event.type === 'height') frame.style.height = `${Math.max(leastHeight, Math.ceil(event.height))}px`;
    onEvent?.(event);
    if (event.type === 'expired') void renew();
  };
  addEventListener('message', hear);
  frame.src = url;
  element.append(frame);
  return {
    frame,
    unmount: () => {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
}

// Google's sign-in script: loaded once, when a button is shown, with this page's nonce.
import { required } from '#kernel/assert.ts';

export type GoogleId = {
  readonly initialize: (options: {
    client_id: string;
    nonce: string;
    ux_mode: 'popup';
    auto_select: false;
    callback: (answer: { credential?: string }) => void;
  }) => void;
  readonly renderButton: (
    place: HTMLElement,
    look: {
      type: 'standard';
      theme: 'outline' | 'filled_black';
      size: 'large';
      text: 'continue_with';
      width: number;
      locale: string;
      logo_alignment: 'center';
    },
  ) => void;
};

declare global {
  // The global variable that Google's script defines.
  var google: { readonly accounts?: { readonly id?: GoogleId } } | undefined;
}

const longestWaitMs = 10_000;
let loading: Promise<GoogleId> | undefined;

/** Loads the script's sign-in part. Throws when the script fails to load; the next call tries again. */
export function loadGoogle(address: string): Promise<GoogleId> {
  loading ??= fetchScript(address).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchScript(address: string): Promise<GoogleId> {
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  if (nonce) script.nonce = nonce;
  await new Promise((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new Error('The script of Google did not come in time')),
      longestWaitMs,
    );
    script.addEventListener('load', () => {
      clearTimeout(limit);
      resolve(undefined);
    });
    script.addEventListener('error', () => {
      clearTimeout(limit);
      script.remove();
      reject(new Error('The script of Google cannot be loaded'));
    });
    document.head.append(script);
  });
  return required(globalThis.google?.accounts?.id, 'the script of Google brings its sign-in');
}

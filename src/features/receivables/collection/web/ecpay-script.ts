// ECPay's script in the browser (站內付 2.0, developers.ecpay.com.tw/?p=51907): it is loaded as a script of the
// page and responds with callbacks.
import type { Language } from '#kernel/language.ts';
import type { CardEntry } from '../contract.ts';

/** The callbacks' last argument is null on success. */
type Done = (error: string | null) => void;
type EcpayScript = {
  readonly initialize: (environment: 'Stage' | 'Prod', showsLoading: 0 | 1, done: Done) => void;
  readonly addBindingCard: (token: string, language: string, done: Done) => void;
  readonly getBindCardPayToken: (
    done: (taken: { readonly BindCardPayToken?: string } | null, error: string | null) => void,
  ) => void;
};
declare global {
  // The global variable that the script defines.
  var ECPay: EcpayScript | undefined;
}

/** ECPay's script did not load, or a call of it failed. */
class ScriptFailed extends Error {
  override readonly name = 'ScriptFailed';
}

/** Each script is loaded once per page, after the one before it. */
const loaded = new Map<string, Promise<void>>();
function load({ url, integrity }: CardEntry['scripts'][number]): Promise<void> {
  const known = loaded.get(url);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    if (integrity !== null) {
      script.integrity = integrity;
      script.crossOrigin = 'anonymous';
    }
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      loaded.delete(url);
      reject(new ScriptFailed(url));
    });
    document.head.append(script);
  });
  loaded.set(url, loading);
  return loading;
}

const done = (call: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    call((error) => (error === null ? resolve() : reject(new ScriptFailed(error))));
  });

function script(): EcpayScript {
  if (globalThis.ECPay === undefined) throw new ScriptFailed('it defined nothing');
  return globalThis.ECPay;
}

/** Loads the script and has it render the fields of a card into the page. Throws {@link ScriptFailed}. */
export async function drawCardFields(
  { scripts, isTrial, token }: CardEntry,
  language: Language,
): Promise<void> {
  for (const each of scripts) await load(each);
  await done((then) => script().initialize(isTrial ? 'Stage' : 'Prod', 1, then));
  await done((then) => script().addBindingCard(token, language === 'zhTW' ? 'zh-TW' : 'en-US', then));
}

/** Returns the script's single-use token for the card that was typed. Throws {@link ScriptFailed}. */
export const takeCard = (): Promise<string> =>
  new Promise((resolve, reject) => {
    script().getBindCardPayToken((taken, error) => {
      const token = taken?.BindCardPayToken;
      if (error === null && token) resolve(token);
      else reject(new ScriptFailed(error ?? 'no token'));
    });
  });

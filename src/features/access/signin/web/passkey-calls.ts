// Passkeys in the browser: gets a challenge from the server, lets the device sign it, and sends the result
// back.
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { Out } from '#kernel/contract.ts';
import type { signin } from '../contract.ts';
import type { SignedIn } from '#platform/web/session/session.ts';
import { signinApi } from './api.ts';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Signs in with a passkey of this device; undefined when the user canceled. */
export async function signInWithPasskey(): Promise<SignedIn | undefined> {
  // The options are the library's on both sides; the contract only transports them.
  const optionsJSON = (await signinApi.passkeyLoginOptions()) as unknown as RequestOptions;
  const signed = await orCancelled(() => startAuthentication({ optionsJSON }));
  if (!signed) return undefined;
  const { id, rawId, type, response } = signed;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return signinApi.passkeyLogin({
    credential: {
      id,
      rawId,
      type,
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle !== undefined && { userHandle }),
      },
    },
  });
}

/** Creates a passkey on this device and adds it to the account; undefined when the user canceled. */
export async function makePasskey(name: string): Promise<Out<typeof signin.addPasskey> | undefined> {
  const optionsJSON = (await signinApi.passkeyOptions()) as unknown as CreationOptions;
  const made = await orCancelled(() => startRegistration({ optionsJSON }));
  if (!made) return undefined;
  const { id, rawId, type, response } = made;
  const { clientDataJSON, attestationObject, transports } = response;
  return signinApi.addPasskey({
    name,
    credential: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
    },
  });
}

/** Closing the browser's dialog is a cancellation, not an error. */
async function orCancelled<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') return undefined;
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return undefined;
    throw error;
  }
}

// Asks the person to prove who they are before something grave, then lets the call go on.
import { create } from 'zustand';

/** `answer` settles the open question; null while none is open. */
export const useProof = create<{ readonly answer: ((isProved: boolean) => void) | null }>()(() => ({
  answer: null,
}));

let asking: Promise<boolean> | undefined;

/** Asks, once for all calls that wait: true when they proved it, false when they gave up. */
export function askProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    useProof.setState({
      answer: (isProved) => {
        asking = undefined;
        useProof.setState({ answer: null });
        resolve(isProved);
      },
    });
  });
  return asking;
}

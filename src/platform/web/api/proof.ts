// Asks the user to prove their identity before a sensitive action, then lets the waiting call continue.
import { create } from 'zustand';

/** `answer` resolves the open question; null when none is open. */
export const useProof = create<{ readonly answer: ((isProved: boolean) => void) | null }>()(() => ({
  answer: null,
}));

let asking: Promise<boolean> | undefined;

/**
 * Opens one question for all waiting calls; resolves to true when the user proved their identity, to false
 * when they canceled.
 */
export function requestProof(): Promise<boolean> {
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

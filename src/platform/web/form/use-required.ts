// A required input outside the form library: its button stays enabled, and the field then shows what is
// missing, as in a form.
import { useRef, useState, type RefObject } from 'react';
import { problem, type Problem } from './problems.ts';

export type Required<Input extends HTMLElement = HTMLInputElement> = {
  /** The ref for the input, which gets the focus when it is missing. */
  readonly input: RefObject<Input | null>;
  /** Shown at the field, from the first press until it is filled. */
  readonly problem: Problem | undefined;
  /** Returns whether it is filled, and shows the problem otherwise. Call it when the button is pressed. */
  readonly check: () => boolean;
};

/** `what` determines the message: for a text, a file or a checkbox. */
export function useRequired<Input extends HTMLElement = HTMLInputElement>(
  isThere: boolean,
  what: 'form.required' | 'form.file_required' | 'form.tick_required' = 'form.required',
): Required<Input> {
  const input = useRef<Input>(null);
  const [isAsked, setIsAsked] = useState(false);
  return {
    input,
    problem: isAsked && !isThere ? problem(what) : undefined,
    check: () => {
      // Reset once it is filled: a field that was submitted and cleared is not missing again.
      setIsAsked(!isThere);
      if (!isThere) input.current?.focus();
      return isThere;
    },
  };
}

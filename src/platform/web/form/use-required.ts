// What is required outside of a form of the form library: its button can be pressed, and the field then says what is missing, as in a form.
import { useRef, useState, type RefObject } from 'react';
import { problem, type Problem } from './problems.ts';

export type Required<Input extends HTMLElement = HTMLInputElement> = {
  /** To be given to the input, which gets the focus when it is missing. */
  readonly input: RefObject<Input | null>;
  /** Shown at the field, from the first press until something is there. */
  readonly problem: Problem | undefined;
  /** Whether it is there; says so at the field otherwise. To be asked when the button is pressed. */
  readonly check: () => boolean;
};

/** `what` says how it is missing: a text, a file or a tick. */
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
      // Not asked any more once it is there: what is sent and emptied is not missing again.
      setIsAsked(!isThere);
      if (!isThere) input.current?.focus();
      return isThere;
    },
  };
}

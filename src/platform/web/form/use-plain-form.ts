// Forms of the pages before sign-in, which visitors load: checked by plain functions, each field on leaving it, then while typing, all at once on
// sending, as `use-zod-form.ts` does with a schema. A tick is 'yes' or nothing.
import { useRef, useState, type FormEvent, type RefCallback } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '../api-error.ts';
import type { Check } from './checks.ts';
import { finished, type Problem } from './problems.ts';

/** A field: its name, and what its value must be like. */
export type PlainField<Name extends string> = readonly [name: Name, check?: Check<Name>];
/** What ties an input to its field. */
export type Bound = {
  readonly name: string;
  readonly value: string;
  readonly problem: Problem | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
  readonly inputRef: RefCallback<HTMLInputElement>;
};

export type PlainForm<Name extends string> = {
  readonly valueOf: (name: Name) => string;
  readonly setValue: (name: Name, value: string) => void;
  readonly setProblem: (name: Name, problem: Problem) => void;
  readonly bind: (name: Name) => Bound;
  readonly isBusy: boolean;
  /** Why it was not sent. */
  readonly refusal: string | undefined;
  /** Sends what `send` makes of it, once and when nothing is wrong; keeps every value when that throws. */
  readonly submit: (event: FormEvent, send: () => Promise<unknown>) => void;
  /** Takes the refusal away. */
  readonly dismiss: () => void;
  readonly reset: () => void;
};

export type PlainFormOptions = {
  /** The sentence above the fields when some are wrong; without one only the fields speak. */
  readonly summary?: string;
  /** Leaving a field empty says nothing, until it is sent or something was typed there. */
  readonly mayLeaveEmpty?: true;
};

type State = { readonly isBusy: boolean; readonly refusal?: string | undefined };

export function usePlainForm<Name extends string>(
  fields: readonly PlainField<Name>[],
  { summary, mayLeaveEmpty }: PlainFormOptions = {},
): PlainForm<Name> {
  const [values, setValues] = useState<ReadonlyMap<Name, string>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<Name, Problem>>(new Map());
  const [state, setState] = useState<State>({ isBusy: false });
  // What events of one moment build upon.
  const kept = useRef({
    values,
    left: new Set<Name>(),
    isSent: false,
    inputs: new Map<Name, HTMLInputElement>(),
  });
  const valueOf = (name: Name): string => kept.current.values.get(name) ?? '';
  const find = (name: Name): Problem | undefined =>
    fields.find(([one]) => one === name)?.[1]?.(valueOf(name), valueOf);
  const show = (name: Name, problem: Problem | undefined): void =>
    setProblems(
      (now) =>
        new Map([
          ...[...now].filter(([one]) => one !== name),
          ...(problem === undefined ? [] : [[name, problem] as const]),
        ]),
    );
  const setValue = (name: Name, value: string): void => {
    kept.current.values = new Map([...kept.current.values, [name, value]]);
    setValues(kept.current.values);
  };

  const bind = (name: Name): Bound => ({
    name,
    value: values.get(name) ?? '',
    problem: problems.get(name),
    onChange: (value) => {
      setValue(name, value);
      if (kept.current.isSent || kept.current.left.has(name)) show(name, find(name));
    },
    onBlur: () => {
      if (mayLeaveEmpty && valueOf(name) === '') return;
      kept.current.left.add(name);
      if (!kept.current.isSent) show(name, find(name));
    },
    inputRef: (input) => {
      if (input) kept.current.inputs.set(name, input);
      else kept.current.inputs.delete(name);
    },
  });

  const deliver = async (send: () => Promise<unknown>): Promise<void> => {
    setState({ isBusy: true });
    try {
      await send();
      setState({ isBusy: false });
    } catch (error) {
      // Only fields of this form are named; others are covered by the sentence for the whole.
      for (const { field, message } of error instanceof ApiError ? error.errors : [])
        for (const [name] of fields) if (field === name) show(name, finished(message));
      setState({ isBusy: false, refusal: error instanceof Error ? error.message : String(error) });
    }
  };

  const submit = (event: FormEvent, send: () => Promise<unknown>): void => {
    event.preventDefault();
    if (state.isBusy) return;
    kept.current.isSent = true;
    const found = fields.flatMap(([name]) => {
      const problem = find(name);
      return problem === undefined ? [] : [[name, problem] as const];
    });
    // The sentence takes the focus when it is new; the field that is wrong is where one goes on.
    flushSync(() => {
      setProblems(new Map(found));
      if (found.length > 0) setState({ isBusy: false, refusal: summary });
    });
    const first = found[0];
    if (first) kept.current.inputs.get(first[0])?.focus();
    else void deliver(send);
  };

  const reset = (): void => {
    Object.assign(kept.current, { values: new Map(), left: new Set(), isSent: false });
    setValues(kept.current.values);
    setProblems(new Map());
  };
  const dismiss = (): void => setState({ isBusy: false });
  return {
    valueOf,
    setValue,
    setProblem: show,
    dismiss,
    bind,
    isBusy: state.isBusy,
    refusal: state.refusal,
    submit,
    reset,
  };
}

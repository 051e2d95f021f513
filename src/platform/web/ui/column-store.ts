// Each user's columns of each list and their order; stored in local storage under columnStore.
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { useAuthStore } from '../session/auth-store.ts';
import type { ColumnChoice } from './column-choice.ts';

type ColumnState = { readonly choices: Readonly<Record<string, ColumnChoice>> };

const useColumnStore = create<ColumnState>()(
  persist((): ColumnState => ({ choices: {} }), {
    name: 'columnStore',
    storage: createJSONStorage(() => localStorage),
  }),
);

export type ChosenColumns = {
  readonly choice: ColumnChoice | undefined;
  readonly choose: (choice: ColumnChoice | undefined) => void;
};

/** The signed-in user's columns of a list; undefined before a choice, and again after `choose(undefined)`. */
export function useColumnChoice(list: string): ChosenColumns {
  const person = useAuthStore((auth) => auth.user?.id ?? '');
  const name = `${person}/${list}`;
  const choice = useColumnStore((store) => store.choices[name]);
  const choose = (next: ColumnChoice | undefined): void => {
    useColumnStore.setState(({ choices: { [name]: _before, ...others } }) => ({
      choices: next === undefined ? others : { ...others, [name]: next },
    }));
  };
  return { choice, choose };
}

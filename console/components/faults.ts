import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Fault } from '../../core/base/failure.ts';

/** The server's faults for the fields of a form. */
export const FormFaults = createContext<readonly Fault[]>([]);

/** The faults of a field and of fields inside it. */
export const useFaults = (path: string | undefined): string[] => {
  const faults = useContext(FormFaults);
  if (path === undefined) return [];
  const within = `${path}.`;
  const found = faults.filter(({ field }) => field === path || field.startsWith(within));
  return found.map(({ field, message }) => {
    const item = /^(\d+)$/.exec(field.slice(within.length))?.[1];
    return item === undefined ? message : `no. ${Number(item) + 1} ${message}`;
  });
};

/** The faults of a group as a whole, without those of its fields. */
export const useOwnFaults = (path: string | undefined): string[] =>
  useContext(FormFaults)
    .filter(({ field }) => field === path)
    .map(({ message }) => message);

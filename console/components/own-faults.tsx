import { useOwnFaults } from './faults.ts';

/** What is wrong with a group of fields as a whole; a place to go to, as a field with a fault is. */
export const OwnFaults = ({ path }: { path: string | undefined }) => {
  const faults = useOwnFaults(path);
  return faults.length === 0 ? null : (
    <p class="fault-text" data-fault tabIndex={-1}>
      {faults.join('; ')}
    </p>
  );
};

import { useOwnFaults } from './faults.ts';

/** The faults of a group of fields as a whole. It can take the focus, as a field with a fault can. */
export const OwnFaults = ({ path }: { path: string | undefined }) => {
  const faults = useOwnFaults(path);
  return faults.length === 0 ? null : (
    <p class="fault-text" data-fault tabIndex={-1}>
      {faults.join('; ')}
    </p>
  );
};

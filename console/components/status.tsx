const words = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  EXPIRED: 'Expired',
  DELETED: 'Deleted',
  BLOCKED: 'Blocked',
  SUSPENDED: 'Suspended',
  DISABLED: 'Disabled',
} as const;

interface StatusProps {
  readonly status: string;
  readonly blocked?: boolean | undefined;
  /** Shows only screen readers that a link is active, as most are. */
  readonly isQuiet?: boolean;
}

export const Status = ({ status, blocked, isQuiet = false }: StatusProps) => {
  const shown = blocked ? 'BLOCKED' : status;
  const name = isQuiet && shown === 'ACTIVE' ? 'unseen' : `badge ${shown.toLowerCase()}`;
  return <span class={name}>{words[shown as keyof typeof words] ?? shown}</span>;
};

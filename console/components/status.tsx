const words = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  EXPIRED: 'Expired',
  DELETED: 'Deleted',
  BLOCKED: 'Blocked',
  SUSPENDED: 'Suspended',
  DISABLED: 'Disabled',
} as const;

export const Status = ({ status, blocked }: { status: string; blocked?: boolean | undefined }) => {
  const shown = blocked ? 'BLOCKED' : status;
  return <span class={`badge ${shown.toLowerCase()}`}>{words[shown as keyof typeof words] ?? shown}</span>;
};

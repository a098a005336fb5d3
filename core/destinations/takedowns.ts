import type { VisitorReads } from '../cached-reads/visitor-reads.ts';

/** Whether operators block a host as a destination. */
export type IsBlocked = (hostname: string) => boolean;

export type TakedownReads = Pick<VisitorReads, 'suspended' | 'blocked'>;

/** Suspended projects, and blocked hosts and keys, cached so that few requests read them. Blocked links have their own attribute. */
export const takedownStore = (reads: TakedownReads) => ({
  isSuspended: async (project: string): Promise<boolean> => (await reads.suspended()).has(project),
  /** Undefined if no host is blocked. */
  isBlocked: async (): Promise<IsBlocked | undefined> => {
    const hosts = await reads.blocked();
    return hosts.size > 0 ? (hostname) => domainsOf(hostname).some((domain) => hosts.has(domain)) : undefined;
  },
  /** Whether the links of a publishable key are blocked: its id is then among the hosts. */
  isKeyBlocked: async (keyId: string | undefined): Promise<boolean> =>
    keyId !== undefined && (await reads.blocked()).has(keyId),
});

/** The most labels of a blocked host; more would only make lookups slow. */
export const blockedLabels = 8;

/** A host without its trailing dot, and its parent domains except top-level ones. */
export const domainsOf = (hostname: string): string[] => {
  const labels = hostname.replace(/\.+$/, '').split('.');
  return labels
    .map((_, i) => labels.slice(i))
    .filter(({ length }, i) => length <= blockedLabels && (length > 1 || i === 0))
    .map((domain) => domain.join('.'));
};

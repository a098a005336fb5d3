export interface Finding {
  readonly name: string;
  /** `look`: AWS doesn't answer this question, so only the operator can. */
  readonly result: 'ok' | 'do' | 'look';
  /** The finding, or the action to take. */
  readonly says: string;
}

type Said = Omit<Finding, 'name'>;
export const ok = (says: string): Said => ({ result: 'ok', says });
export const todo = (says: string): Said => ({ result: 'do', says });
export const look = (says: string): Said => ({ result: 'look', says });

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes a finding. If AWS can't be called, that is also a finding with an action. */
export const finding = async (name: string, ask: () => Promise<Said>): Promise<Finding> => {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ...todo(errorText(error)) };
  }
};

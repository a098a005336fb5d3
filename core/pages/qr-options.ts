export interface QrOptions {
  /** Pixels from edge to edge, the margin included. */
  readonly size: number;
  /** Modules that stay light around the code, at least. */
  readonly margin: number;
}

export const qrLimits = {
  size: { min: 64, max: 2048, otherwise: 512 },
  margin: { min: 0, max: 16, otherwise: 4 },
} as const;

/** A problem with the options that the caller can fix; the message is shown to them. */
export class QrOptionError extends Error {}

export const readQrOptions = (query: Readonly<Record<string, string | undefined>>): QrOptions => {
  const read = (name: keyof typeof qrLimits): number => {
    const { min, max, otherwise } = qrLimits[name];
    const text = query[name];
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (/^\d{1,4}$/.test(text) && value >= min && value <= max) return value;
    throw new QrOptionError(`${name} must be a whole number from ${min} to ${max}.`);
  };
  return { size: read('size'), margin: read('margin') };
};

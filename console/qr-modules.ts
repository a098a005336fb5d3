import encodeQR from 'qr';

const corrections = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** Replaces the package `qrcode` in the bundle with `qr`, which the page already needs to decode. */
export const create = (
  text: string,
  { errorCorrectionLevel }: { readonly errorCorrectionLevel: keyof typeof corrections },
) => {
  const rows = encodeQR(text, 'raw', { ecc: corrections[errorCorrectionLevel], border: 1 });
  return {
    modules: {
      size: rows.length - 2,
      get: (row: number, column: number) => Number(rows[row + 1]?.[column + 1]),
    },
  };
};

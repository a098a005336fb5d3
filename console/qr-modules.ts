import encodeQR from 'qr';

const corrections = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** The part of the package `qrcode` that drawing asks: the bundle takes it from here, as the page reads codes by `qr` already. */
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

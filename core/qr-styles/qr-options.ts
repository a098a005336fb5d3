export type QrOptions = ReturnType<typeof readQrOptions>;

/** `size` is in pixels, including the margin; `margin` is the least number of light modules around the code. */
const ranges = { size: { min: 64, max: 2048 }, margin: { min: 0, max: 16 } } as const;
/** Error correction levels: 7, 15, 25 or 30 % of the code may be lost. */
export const levels = ['L', 'M', 'Q', 'H'] as const;

/** Default values of the parameters. */
export const qrDefaults = {
  size: '512',
  margin: '4',
  color: '000000',
  background: 'ffffff',
  level: 'M',
} as const;

/** The parameters that make a style; a code whose address has none of them is drawn in the project's style. */
export const styleParameters = ['color', 'background', 'level'] as const;

/** The error correction level with a logo, because the logo hides modules. */
export const logoLevel = 'H';

/** The drawing options for a style: defaults for unset values, and `logoLevel` with a logo. */
export const optionsOf = ({
  logo = null,
  ...given
}: Readonly<Partial<Record<string, string | null>>>): Readonly<Record<string, string>> => ({
  ...qrDefaults,
  ...Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  ...(logo !== null && { level: logoLevel }),
});

/** An invalid option; the message is shown to the client. */
export class QrOptionError extends Error {}

type Query = Readonly<Record<string, string | undefined>>;

/** Parses query parameters. Colours become six hex digits in lower case. Throws QrOptionError. */
export const readQrOptions = (query: Query) => {
  const given: Query = { ...qrDefaults, ...query };
  const options = {
    size: numberOf('size', given.size),
    margin: numberOf('margin', given.margin),
    color: colorOf('color', given.color),
    background:
      given.background === 'transparent' ? given.background : colorOf('background', given.background),
    level: levels.find((level) => level === given.level),
  };
  const { color, background, level } = options;
  if (!level) throw new QrOptionError('level must be L, M, Q or H.');
  const tooPale = paleness(color, background);
  if (tooPale !== undefined) throw new QrOptionError(`color ${tooPale}.`);
  return { ...options, level };
};

/** Why scanners couldn't tell the colours apart; undefined if they can. */
export const paleness = (color: string, background: string): string | undefined => {
  // A transparent code is measured on white, like most pages and paper.
  const ratio = contrast(color, background === 'transparent' ? 'ffffff' : background);
  // An invalid colour, which has its own fault, has no contrast.
  if (!(ratio < leastContrast)) return undefined;
  return `must be darker than background, with a contrast of ${leastContrast} at least; it is ${Math.floor(ratio * 100) / 100}`;
};

const numberOf = (name: keyof typeof ranges, text = ''): number => {
  const { min, max } = ranges[name];
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value >= min && value <= max) return value;
  throw new QrOptionError(`${name} must be a whole number from ${min} to ${max}.`);
};

const colorOf = (name: 'color' | 'background', text = ''): string => {
  if (/^[\da-f]{6}$/i.test(text)) return text.toLowerCase();
  const other = name === 'background' ? ', or transparent' : '';
  throw new QrOptionError(`${name} must be six hex digits without #, such as 1b1f2a${other}.`);
};

/** The contrast of text by WCAG 2; scanners need about as much. */
const leastContrast = 4.5;

/** Contrast by WCAG 2, from 1 to 21; below 1 if the background is darker. */
const contrast = (color: string, background: string): number =>
  (luminance(background) + 0.05) / (luminance(color) + 0.05);

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

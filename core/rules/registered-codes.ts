import { canonicalTag } from './language.ts';

/** The countries of ISO 3166-1, and Kosovo, which CloudFront calls `XK`. */
const countries: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK'
  ).split(' '),
);

/**
 * The languages of three letters in IANA's registry of 2026, as bits: `aaa` is the lowest bit of the first byte, `aab` the
 * next one. Those of two letters are the ones that Intl has names for.
 */
const threeLetters = Buffer.from(
  '//39/u//v9v7//769x88V2+Xc/j///9wvwP//88FhXLp//1/////d//////////j6f///028Cnq+/////v/3/////98r9PHwXeefFAcg3+2fP8' +
    'kh+L/u////////f/////9//f////d/////////57//////7/////+//////9////P/+3/////+///7///3///9////f9/////+///f///f+///' +
    '/v//////93+//dWtf0D/nMFDLAglQQBQRACAu//yn7RCRdabNIj3e+cXV1V9Dhw3f/Pvn/9dOGUIABC8/7////9/Nz7Hx9//AYEAsAWAACAAAA' +
    'NAAACSIdD/ff/e/l4EAAJkjRnB33siAAAA323eJuXZ8/7//c+fFEEMhgDRAPDHZ1/WmV637e8DAAIAAADAd9pXkm0BLtZ79P9/fwAAAAEMVgMA' +
    'ALAUJ1EWCgABAAAQEUkAAGAQAAAAEAAARAQAEIAFGAAABQCAKAQAAFDVLRBkNSRT9dW/4s0DAIAAQAAAAAAABBc5Ad1XmSGYpwgAAUCCAAAABA' +
    'AAAAIBQABEAACw/qs5AAIAAAAEAAAAAAAgAEAEAAAAAgAAABCDqAUAAAAABCAEpggEAAiBUAAACDGGQAAAAABAAAP1AxAIBAAAAOA7sxMAgAAR' +
    'AAAAAAAAAAAAAAAA///////fz4OiwP/fJ+8f5QMQILLFpkUlmwPf+d8D1EiQAQ6B45NU2zjzf/9t+f//fwQIAAEhEjxf/Q+FT0RAAAT//f/W6B' +
    'v0N6MNAAAge3kCB4QA8P9//gAYBIEAAACAEJQcAQAAAAAAEEAABAi0/qUMQAAAkSQEbABg8P/7f/YcBZ/fbgMAEQAAAEAFtbaCKAQABFHi//0/' +
    'BQkIBUAAAAAAEAAADAAAAAChAmznSBSIIMBHgAcAAADMUEAkhUeEQCAQACACUIgRANns7lA3HRFpDlnrMwgAIAVAEAAAAFBElknWXaeDR5f7AB' +
    'AACACAAEBFAAECAAFAgABGCPjr9znEnRYAAAwEASAg3aIBAAAAEkQAAAQQ8J2VEwSAAAHQFkAAEPCQYkzSAgFKAEYEAAgCACDAAIAGAAgAAAAA' +
    '8NjvFQIIAAABAAAAABABABAAAAD/1+P9//////9////+////////////3//7///b/f////7//////////////f/f/9z///////////77//////' +
    '////7//f/////////v/////////////3v93d//vJgFLP8H8P//fwAIAMN9HwbmcvD/fH9EIjCfex79/1fy/z//8h6V9///R4ABAgAgQFWfit/5' +
    'bhGHUdD7/3dAAwXRWFwAQAAQBAIAIAqAe7f9/v7////////v////f/////////////f//99///9/////7/+9///7////33/9//f///f////7/+' +
    '///////3/f/7/v9////////////v//f////////P/9f///n77//v9/938CggT/////1+////f/4p7n//f/Vv3N///////v//3/fQ+nUQbEl9Bd' +
    'r6b//f9jXVv///8/IBQAV1HCZfVN4v//30KFxQUEIgB0aRAIBUEAAQYAAAAAAFFgBQQBAAAGESAAGAGS8f1nawaVBlft+02de4MEYkAAFUIAAA' +
    'BUg/lfEI7JRt/3EzEAIAAAAJAAAAAAAAoQAAFAAPDf/b99vs//v0IUhGGw/116BAIASS0UJ//t8b/vPwAAAsfgHvy7//379/33///89e1H9H8Q' +
    'AQHEf//33flfBYbv9Xe9PQAAAENxQgBAAAABQxkkCAD///////////////////////////////////////////////////////////////////' +
    '///////////////////++951fuE10JwUAh+hcBgAAAAADw/v+/ACMAIAAACAAAMLXjEAAAABEkFgABAjCDowFQAAGDEUgAAADw3///EqoQf9hS' +
    'AIAgAAAAAEAUAgI9QBBCEGFfnDEAAAABXAIgAAABAEIBIAAAv9//////P9/ez73/r///f0tAEPH97/33///73/9/8Xvxf/9//+7377//2//f//' +
    '1+v1f/b4F2n9z3/f////v+/19XX+9fUBhi/v+fFZ8VD33GfaGS9fd+///////93f///fZf/z9AmAL/4//z9v7f/99/0D4Ve7z/vv//9///93//' +
    '//7f99f97y+Av8X/////n//////9v99/Rh93//jbXc99Frnqe6AeIAAwAgQkSAQAAEDUBgQAAAQABAAwCQZQAAgAAAAkAAQAENxY100PVE/xFm' +
    'TVSgpAAgBAAAgAAADc/+sfWEhBJKAEADASQCIAEAAAAAAAAAEAAACAEBC/b5MAAQAAAAAAAADAgC0AAAAAAAAKAAAAwIbCAgABAAH/GAIAEvD/' +
    'eT8AJQAAAAoAAAAAAABAABADACkgAAABAACDAAAAAAEAAAAAAAAAAAAAAAD////Pfr4REAAAkgFGzfFeAAEAMBQEVRABBPY/egUEALCAIFV1l3' +
    '3fccx41UP1V2cUAQAAAAAALPfbH1Rgg2gFEIs4ugEAADAAJEQAABADMQIBAADw9f/X17xw1nh6FVAFpITpQQAAAGs5UnRA6DCQapIAAAL/7/9/' +
    'hVP07///8t3HTPVC/P//HwCAwFbMFp/7N33v/72krwFEGAFdTkoIUCgw4IAQICQA////b/4BBogqQBYBARUrPgEAABCQaUUCAgHhv78DAAAQ3K' +
    'fRVJ5E3/2PbrNVINTD2DA9gAAAAEz0EcWEb1AAIlB/v9sHACAQhLJFEAZEAAASAhEA8P/9fwUCFokAAAAIABAMAwAAAACDMAIohAAzwCMkAAAA' +
    'y+Q6RshU8f//fxYBAYRQB/z//w8BAEAQOAEBHBJA4XYWCAMQAAAAAQAAAAAAIiQKQIAAAA==',
  'base64',
);

export const isCountry = (code: string): boolean => countries.has(code);

const namesOf = (type: 'region' | 'language') => new Intl.DisplayNames('en', { type, fallback: 'none' });

/** The country that a wrong code probably means: its present code or, unless it is another region's, that of a language. */
export const countryMeant = (code: string): string | undefined =>
  [canonicalTag(`und-${code}`), namesOf('region').of(code) ? undefined : canonicalTag(code)?.maximize()]
    .map((tag) => tag?.region ?? '')
    .find((region) => region !== code && isCountry(region));

const isLanguageCode = (code: string): boolean => {
  if (code.length === 2) return namesOf('language').of(code) !== undefined;
  const number = [...code].reduce((sum, letter) => sum * 26 + (letter.charCodeAt(0) - 97), 0);
  return (((threeLetters[number >> 3] ?? 0) >> (number & 7)) & 1) === 1;
};

const codeOf = (range: string): string => range.toLowerCase().split('-')[0] ?? '';

/** Whether a range begins with a registered language. */
export const isLanguage = (range: string): boolean => isLanguageCode(codeOf(range));

/** The language that a wrong range probably means: by its code elsewhere, or that of a country. */
export const languageMeant = (range: string): string | undefined => {
  const code = codeOf(range);
  const country = code.toUpperCase();
  return [
    canonicalTag(code)?.language,
    isCountry(country) ? canonicalTag(`und-${country}`)?.maximize().language : undefined,
  ].find((language) => language !== undefined && language !== code && isLanguageCode(language));
};
